// The actions of the header's account part: sign in and out, and use and forget the master key.

import { ApiError } from "./api.js";
import { openMasterKeyForm, openSignIn } from "./sign-in.js";
import { t } from "./texts.js";
import { servesUsers } from "./users.js";

/** Parse error 209 (invalid session token): the session has ended. */
const sessionEndedCode = 209;

/**
 * @param account the stored session and master key
 * @param ownerSession the session of the person who runs the gateway
 * @param openOwner opens the master-key area
 * @param forget forgets what is kept outside of the state: open forms, drafts and names
 * @param restart reads all data of the page again, with the session or key that the page now has
 */
export function createAccountActions({ api, account, ownerSession, state, notices, openOwner, forget, restart }) {
  /** The session token of the page's requests; null without a session. */
  let token = account.session()?.token ?? null;

  /** Deletes all data that the page has read for the earlier user, and reads the data again for the present user. */
  async function changed(words) {
    token = account.session()?.token ?? null;
    api.supersedeReads();
    forget();
    state.update({ ...whoUses(account), ...nothingRead() });
    await restart();
    if (words) notices.tell(words);
  }

  async function signIn(credentials, stays) {
    const user = await api.logIn(credentials);
    account.signIn(user, stays);
    await changed(t("Signed in as {username}.", { username: user.username }));
  }

  async function useKey(key) {
    const isReplica = servesUsers(state.values.status);
    // The person can already go elsewhere while the data is read with the key.
    const isForTool = state.values.tool !== null;
    account.setMasterKey(key);
    try {
      await (isReplica ? api.owner.usersOfReplica() : api.owner.schemas());
    } catch (error) {
      account.forgetMasterKey();
      throw error instanceof ApiError && error.status === 403 ? new Error(refusalText(error)) : error;
    }
    await changed();
    // The master-key area opens after the form that asks for the key has closed.
    if (!isReplica && !isForTool) setTimeout(openOwner);
  }

  /** Forgets the user's or the owner's session if an error answer of the gateway says that it has ended. */
  async function noteEnd(error) {
    if (error.status === 403 && error.isAboutMasterKey && account.ownerProof() !== null && !account.masterKey()) {
      account.forgetOwnerProof();
      state.update(whoUses(account));
      notices.warn(t("This browser no longer operates the gateway. Restart the gateway, and open the link that it prints."));
      return;
    }
    if (error.code !== sessionEndedCode || account.session() === null || account.masterKey()) return;
    account.signOut();
    notices.warn(t("Your session has ended. Sign in again."));
    await changed();
  }

  account.onChange(() => {
    if ((account.session()?.token ?? null) !== token) changed(t("Another tab has changed who uses the page."));
  });

  return {
    signIn: () => openSignIn(signIn),
    async signOut() {
      // The gateway would refuse a read that reaches it after the log-out.
      api.supersedeReads();
      const loggedOut = api.logOut().catch(() => {});
      // The session is forgotten here even if the gateway does not answer. The position in the change feed of the earlier user
      // is not used for the next user.
      account.signOut();
      await Promise.all([changed(), loggedOut]);
      notices.tell(t("Signed out."));
    },
    manage: () => (state.values.isOwner ? openOwner() : openMasterKeyForm(useKey)),
    async leaveManaging() {
      account.forgetMasterKey();
      await changed(t("The master key is forgotten."));
    },
    async stopOperating() {
      await ownerSession.end();
      state.update(whoUses(account));
    },
    /** Checks the stored sessions when the page opens. */
    async check() {
      await ownerSession.check();
      state.update(whoUses(account));
      if (account.session() === null || account.masterKey()) return;
      // If the session has ended, `noteEnd` handles the error.
      await api.me().catch(() => {});
    },
    noteEnd,
  };
}

function refusalText({ message }) {
  return message === "unauthorized" ? t("The gateway accepts this key only from its own machine.") : t("This is not the gateway's master key.");
}

/** The parts of the state that come from the gateway, before the first answer. */
function nothingRead() {
  const lists = { pending: [], rejections: [], conflicts: [], removals: [], resolved: [], resolvedOpen: false };
  const history = { syncs: [], pendingCounts: [] };
  return { ...lists, users: [], history, search: "", lists: new Map(), tables: new Map(), types: new Map() };
}

/** The part of the state that names the user of the page and says whether the page has the master key. */
export function whoUses(account) {
  const session = account.session();
  return {
    user: session && { objectId: session.objectId, username: session.username },
    isOwner: Boolean(account.masterKey()),
    operates: account.ownerProof() !== null,
  };
}
