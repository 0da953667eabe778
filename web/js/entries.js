// Reads the entries of the details panel: pending changes, rejected changes, conflicts and held removals.

import { withAuthor } from "./authors.js";
import { keepsUsersApart } from "./users.js";

/**
 * Reads a list of entries, each with its author, and with its space if it is in the data of a user.
 *
 * In a personal replica, the list for the master key has the entries of the gateway's own data and of all spaces. It does not tell
 * them apart: the own data can have entries of users, too, if the replica was a site before. So the lists of the spaces are read, too.
 *
 * @param list `(user)`: reads the list of a user's space; without a user, the whole list
 */
export async function readEntries(list, { status, users }) {
  const listed = await list();
  const waiting = keepsUsersApart(status) ? users.filter(hasEntries) : [];
  const lists = await Promise.all(waiting.map(({ objectId }) => listOfSpace(list, objectId)));
  const inSpaces = lists.flat();
  const places = new Set(inSpaces.map(placeOf));
  const own = listed.filter((entry) => !places.has(placeOf(entry)));
  return [...own, ...inSpaces].map((entry) => withAuthor(entry, users));
}

async function listOfSpace(list, space) {
  const entries = await list(space);
  return entries.map((entry) => ({ ...entry, user: space, space }));
}

function hasEntries({ pending, rejections, conflicts, removals }) {
  return pending + rejections + conflicts + removals > 0;
}

function placeOf({ user, id, className, objectId }) {
  return JSON.stringify([user, id, className, objectId]);
}

/** Reads the resolved conflicts, newest first. The conflicts of one user are listed after those of another. */
export async function readResolved(list, { status, users }) {
  const isApart = keepsUsersApart(status);
  const resolved = (await list()).map((entry) => withAuthor(isApart ? { ...entry, space: entry.user } : entry, users));
  return resolved.sort((one, other) => other.resolvedAt.localeCompare(one.resolvedAt));
}
