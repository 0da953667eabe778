// The master keys of the tools. A tool about the schema or the users needs the key of the server that has them: of a standalone
// gateway, or of the remote of a replica. A tool about the gateway itself needs the key of the gateway.

import { openMasterKeyForm } from "../sign-in.js";
import { isReplica } from "../sync-text.js";
import { t } from "../texts.js";
import { servesUsers } from "../users.js";

const remoteHint =
  t("The master key of the remote. The page sends it only with the requests of these pages, and keeps it until the page is closed or read again.");
const gatewayHint = t("The key is in the file master-key of the gateway's data directory. The page keeps it until it is closed or read again.");

/** @param manage asks for the gateway's master key, with which the whole page then works */
export function createToolKeys({ api, state, manage }) {
  /** The keys that only the tools use: of the remote, and of a gateway whose page has no sign-in. */
  const kept = { remote: null, gateway: null };

  /** Whether the page itself takes the key of a kind. */
  const isOfPage = (kind) => !isReplica(state.values) || (kind === "gateway" && servesUsers(state.values.status));

  return {
    owner: () => (kept.remote !== null ? api.ownerWith(kept.remote) : api.owner),
    system: () => (kept.gateway !== null ? api.systemWith(kept.gateway) : api.system),
    /** Changes with the keys and with the user of the page. */
    stamp: ({ isOwner, operates, user, status }) =>
      [isOwner, operates, user?.objectId, status === null, kept.remote !== null, kept.gateway !== null],
    isMissing(kind) {
      const { isOwner, operates, status } = state.values;
      if (isOwner || kept[kind] !== null) return false;
      // A standalone gateway without users, and a replica for one person, tell everybody about themselves.
      return kind === "gateway" ? servesUsers(status) && !operates : true;
    },
    /** Whether the requests of a kind have a master key that the user has entered for them. */
    isUsed: (kind) => kept[kind] !== null || (state.values.isOwner && isOfPage(kind)),
    holds: (kind) => kept[kind] !== null,
    reason: (kind) =>
      isOfPage(kind) ? t("This page needs the gateway's master key.") : t("The remote has the schema and the users. This page needs the remote's master key."),
    ask(kind) {
      if (isOfPage(kind) && !state.values.isOwner) return manage();
      const isRemote = kind === "remote";
      openMasterKeyForm(
        async (key) => {
          await (isRemote ? api.ownerWith(key).schemas() : api.systemWith(key).settings());
          kept[kind] = key;
          state.redraw();
        },
        { title: isRemote ? t("Enter the master key of the remote") : t("Enter the master key of this gateway"), hint: isRemote ? remoteHint : gatewayHint },
      );
    },
    forget(kind) {
      kept[kind] = null;
      state.redraw();
    },
    forgetAll() {
      kept.remote = null;
      kept.gateway = null;
    },
  };
}
