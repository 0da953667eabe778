// The browser session of the person who runs the gateway. The gateway prints a link with a one-time token. The page exchanges the
// token for a session, with which it may pause syncing, and change which classes are synced and which removals are accepted.

import { ApiError } from "./api.js";

/** The token in the fragment of the printed link; null for any other address. */
export function tokenInAddress(hash) {
  return /^#owner=(\w+)$/.exec(hash)?.[1] ?? null;
}

/**
 * @param account stores the proof of the session. The browser stores the session's cookie, which the page cannot read.
 * @returns `check()`: opens the session of a link in the address, or forgets a session that has ended. `end()`: ends the session.
 */
export function createOwnerSession({ api, account, notices }) {
  /** The token of a link that the gateway has not answered yet, for example because it requires an access key first. */
  let token = null;

  async function check() {
    const given = tokenInAddress(location.hash);
    if (given !== null) {
      token = given;
      history.replaceState(history.state, "", "#/");
    }
    try {
      if (token !== null) await open();
      else if (account.ownerProof() !== null && !(await api.ownerSession.read()).isOpen) account.forgetOwnerProof();
    } catch (error) {
      // If the gateway does not answer, the session may still be open, so its proof is kept.
      if (error instanceof ApiError && !error.isLocked) notices.warn(error.message);
    }
  }

  async function open() {
    try {
      const { proof } = await api.ownerSession.open(token);
      account.setOwnerProof(proof);
      token = null;
    } catch (error) {
      if (error instanceof ApiError && !error.isLocked) token = null;
      throw error;
    }
  }

  /** Opens the session of a token that the gateway has given to this page. Some gateways need no such session. */
  async function take(given) {
    token = given;
    await open().catch(() => {});
  }

  async function end() {
    await api.ownerSession.end().catch(() => {});
    account.forgetOwnerProof();
  }

  return { check, take, end };
}
