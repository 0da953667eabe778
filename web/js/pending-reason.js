// The text that tells why a change is still pending after a sync.

import { t } from "./texts.js";
import { isolated } from "./values.js";

/**
 * @param change a pending change, in the format of GET /sync/pending
 * @param decisions the open decisions: {rejections, conflicts}
 * @returns the reason as text; null if the change has not been sent and waits for no decision
 */
export function pendingReason({ className, objectId, user, phase, operations }, { rejections, conflicts }, names) {
  if (phase === "inFlight") return t("Being sent.");
  if (phase === "unknown") return t("Sent, but the answer was lost. The next sync checks whether it was applied.");
  const isInConflict = conflicts.some(
    (conflict) => conflict.className === className && conflict.objectId === objectId && conflict.user === user,
  );
  if (phase === "held" && !isInConflict) return t("Waiting for another user to resolve a conflict of the object.");
  if (phase === "held") return t("Sent, but the answer was lost. Decide under Conflicts whether it was applied.");
  if (isInConflict) return t("Waiting for you to resolve its conflict.");
  const ways = [
    [rejections.filter(({ kind }) => kind === "create"), (name) => t("Waiting for {name}, which was rejected.", { name })],
    [conflicts.filter(({ kind }) => kind === "ambiguousCreate"), (name) => t("Waiting for {name}, which has a conflict.", { name })],
  ];
  for (const [items, textFor] of ways) {
    const blocker = items.find((item) => pointsTo(operations, item));
    if (blocker) return textFor(isolated(names.of(blocker.className, blocker.objectId)));
  }
  return null;
}

/** Whether a value contains a pointer to an object, at any depth. */
function pointsTo(value, object) {
  if (typeof value !== "object" || value === null) return false;
  const { __type: type, className, objectId } = value;
  if (type === "Pointer") return className === object.className && objectId === object.objectId;
  return Object.values(value).some((item) => pointsTo(item, object));
}
