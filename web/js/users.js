// Functions about the users of the gateway: a standalone gateway has its own users, and a replica has those of its remote.

import { formatMoment } from "./dates.js";
import { plural, t } from "./texts.js";
import { isolated } from "./values.js";

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
 * Whether the page may pause syncing, change the synced classes, and decide about held removals. In a replica with users,
 * this needs the master key or the owner's session.
 */
export function mayOperate({ status, isOwner, operates }) {
  return isOwner || operates === true || !servesUsers(status);
}

/** Whether the page shows the waiting changes and decisions of each user of a replica. */
export function showsUsers({ status, isOwner }) {
  return isOwner && servesUsers(status);
}

/**
 * The sync status with the entries of all users in its counts. The status of a site counts them already.
 *
 * @param users the users of the replica, for the master key; otherwise empty
 */
export function withUsers(status, users) {
  if (!keepsUsersApart(status)) return status;
  const counts = ["pending", "rejections", "conflicts", "removals"];
  const sum = (name) => users.reduce((total, user) => total + user[name], status[name]);
  return { ...status, ...Object.fromEntries(counts.map((name) => [name, sum(name)])) };
}

/**
 * The notes about the users of a replica for the holder of the master key: a sentence for each user whose changes wait for a
 * log-in, or are stalled for another reason.
 */
export function waitingNotes(users) {
  return users.map(waitingNote).filter(Boolean);
}

function waitingNote({ objectId, username, pending, stalled, waitsForLogIn }) {
  const name = isolated(username ?? objectId);
  if (waitsForLogIn) return plural("{count} change waits for {name} to log in.", "{count} changes wait for {name} to log in.", { count: pending, name });
  if (stalled > 0) return plural("{count} change of {name} is stalled.", "{count} changes of {name} are stalled.", { count: stalled, name });
  return "";
}

/** The note for the signed-in user of a replica, as a sentence; empty if there is none. */
export function userNote({ user, people }) {
  if (user?.waitsForLogIn) return t("Your changes wait until you sign in again.");
  if (user?.offlineUntil) return t("You can work offline until {time}.", { time: formatMoment(user.offlineUntil) });
  const count = people?.waitingForLogIn ?? 0;
  if (count === 0) return "";
  return plural("{count} change waits for its author to log in.", "{count} changes wait for their author to log in.", { count });
}
