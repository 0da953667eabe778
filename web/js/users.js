// What a gateway shows about its users: those of a standalone gateway, or those of the remote of a replica.

import { formatMoment } from "./dates.js";
import { counted } from "./values.js";

/** Whether this is a replica at which users of the remote sign in. */
export function servesUsers(status) {
  return Boolean(status?.people || status?.user);
}

/** Whether this is a replica that keeps the data of each user apart. */
export function keepsUsersApart(status) {
  return status?.people?.mode === "personal";
}

/** Whether users can sign in at the gateway. */
export function takesUsers(status) {
  return status?.mode === "standalone" || servesUsers(status);
}

/**
 * Whether the page may pause syncing, and change which classes are synced and which removals are accepted. In a replica with users,
 * that is for the master key.
 */
export function mayOperate({ status, isOwner }) {
  return isOwner || !servesUsers(status);
}

/** What a user of a replica should know, as a sentence; empty if there is nothing to say. */
export function userNote({ user, people }) {
  if (user?.waitsForLogIn) return "Your changes wait until you sign in again.";
  if (user?.offlineUntil) return `You can work offline until ${formatMoment(user.offlineUntil)}.`;
  const count = people?.waitingForLogIn ?? 0;
  if (count === 0) return "";
  return count === 1 ? "1 change waits for its author to log in." : `${counted(count, "change")} wait for their author to log in.`;
}
