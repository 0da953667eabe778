// Who uses the page: a signed-in user, the holder of the master key, or neither.

const names = { session: "tidegate.session", masterKey: "tidegate.masterKey", owner: "tidegate.owner" };

/**
 * Stores the session of the signed-in user and the master key.
 *
 * The session is deleted with the tab, unless the user stays signed in. The master key is always deleted with the tab. Neither
 * is ever in a cookie or in an address. The proof of the owner's session gives no access without the session's cookie.
 */
export function createAccount({ tab = window.sessionStorage, lasting = window.localStorage } = {}) {
  function session() {
    for (const storage of [tab, lasting]) {
      try {
        const kept = JSON.parse(storage.getItem(names.session));
        if (typeof kept?.token === "string") return kept;
      } catch {
        storage.removeItem(names.session);
      }
    }
    return null;
  }

  function signOut() {
    for (const storage of [tab, lasting]) storage.removeItem(names.session);
  }

  return {
    /** The session: {token, objectId, username}; null if nobody is signed in. */
    session,
    /** @param stays whether the session is kept after the tab is closed */
    signIn({ sessionToken, objectId, username }, stays) {
      signOut();
      (stays ? lasting : tab).setItem(names.session, JSON.stringify({ token: sessionToken, objectId, username }));
    },
    signOut,
    masterKey: () => tab.getItem(names.masterKey),
    setMasterKey: (key) => tab.setItem(names.masterKey, key),
    forgetMasterKey: () => tab.removeItem(names.masterKey),
    /** The proof of the owner's session in this browser; null without one. */
    ownerProof: () => lasting.getItem(names.owner),
    setOwnerProof: (proof) => lasting.setItem(names.owner, proof),
    forgetOwnerProof: () => lasting.removeItem(names.owner),
    /** Calls `listener` when another tab may have changed the session, or the page has come back by the Back button. */
    onChange(listener, page = window) {
      page.addEventListener("storage", ({ key }) => (key === names.session || key === null) && listener());
      page.addEventListener("pageshow", ({ persisted }) => persisted && listener());
    },
    /**
     * The headers that tell the gateway who sends a request. With a master key, the session is left out.
     *
     * @param operates whether the request operates the gateway, for example pauses syncs; such a request has the proof of the
     *   owner's session in place of the user's session
     */
    headers(operates = false) {
      const key = tab.getItem(names.masterKey);
      if (key) return { "X-Parse-Master-Key": key };
      const proof = lasting.getItem(names.owner);
      if (operates && proof) return { "X-Tidegate-Owner": proof };
      const kept = session();
      return kept ? { "X-Parse-Session-Token": kept.token } : {};
    },
  };
}
