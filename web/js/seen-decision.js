// Decides a conflict as its reader has seen it: where the remote has changed the object again since, nothing is decided.

import { isEqual } from "./values.js";

/** @param keep, object the decision, as POST /sync/conflicts/:id takes it */
export async function resolveSeen(api, conflict, keep, object) {
  const present = (await api.conflicts()).find(({ id }) => id === conflict.id);
  if (present && !isEqual(sidesOf(present), sidesOf(conflict))) {
    throw new Error("The object has changed again since. Look at the conflict as it is now, and decide then.");
  }
  await api.resolveConflict(conflict.id, keep, object);
}

/** The sides of a conflict; an absent one is null. */
function sidesOf({ base, local, remote }) {
  return { base: base ?? null, local: local ?? null, remote: remote ?? null };
}
