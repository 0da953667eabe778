// Reads the entries of the details panel: pending changes, rejected changes, conflicts and held removals.

import { withAuthor } from "./authors.js";

/** The maximum number of entries in an answer of the gateway. */
export const entriesMax = 1_000;

/**
 * Reads a list of entries, each with its author. An entry in the data of a user has the user's id in `space`.
 *
 * @param list `(after)`: reads the entries that follow an entry; without one, reads the first entries
 * @param pages the number of answers to read, each with at most `entriesMax` entries of one user
 */
export async function readEntries(list, { users }, pages = 1) {
  const entries = [];
  let latest = await list();
  for (let page = 1; ; page += 1) {
    entries.push(...latest);
    const ends = [...Map.groupBy(latest, ({ space }) => space).values()].filter(({ length }) => length >= entriesMax);
    if (page >= pages || ends.length === 0) return entries.map((entry) => withAuthor(entry, users));
    latest = (await Promise.all(ends.map((read) => list(read.at(-1))))).flat();
  }
}

/** Reads the resolved conflicts, newest first. The gateway lists the conflicts of one user after those of another. */
export async function readResolved(list, state) {
  const resolved = await readEntries(list, state);
  return resolved.sort((one, other) => other.resolvedAt.localeCompare(one.resolvedAt));
}
