// Resolves a conflict. Throws an error if the object has changed again since the user saw the conflict.

import { t } from "./texts.js";
import { isEqual } from "./values.js";

/** `keep` and `object` are the decision, as in the body of POST /sync/conflicts/:id. */
export async function resolveIfUnchanged(api, conflict, keep, object) {
  const present = (await api.conflicts(conflict.space)).find(({ id }) => id === conflict.id);
  if (present && hasChanged(conflict, present)) throw new Error(t("The object has changed again. Check the conflict before you decide."));
  await api.resolveConflict(conflict, keep, object);
}

/** Whether the object has changed since the user saw the conflict. `present` is the conflict now. */
export function hasChanged(conflict, present) {
  return !isEqual(sidesOf(present), sidesOf(conflict));
}

/** The three versions of the object in a conflict. A missing version is null. */
function sidesOf({ base, local, remote }) {
  return { base: base ?? null, local: local ?? null, remote: remote ?? null };
}
