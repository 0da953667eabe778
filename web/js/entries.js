// Reads the entries of the details panel: pending changes, rejected changes, conflicts and held removals.

import { withAuthor } from "./authors.js";

/** Reads a list of entries, each with its author. An entry in the data of a user has the user's id in `space`. */
export async function readEntries(list, { users }) {
  const entries = await list();
  return entries.map((entry) => withAuthor(entry, users));
}

/** Reads the resolved conflicts, newest first. The gateway lists the conflicts of one user after those of another. */
export async function readResolved(list, state) {
  const resolved = await readEntries(list, state);
  return resolved.sort((one, other) => other.resolvedAt.localeCompare(one.resolvedAt));
}
