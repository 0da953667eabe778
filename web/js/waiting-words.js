// Why a change waits for longer than the next sync, in words.

import { isolated } from "./values.js";

/**
 * @param change as GET /sync/pending tells it
 * @param decisions {rejections, conflicts}: what somebody has to decide first
 * @returns null where only the next sync is waited for
 */
export function waitingReason({ className, objectId, phase, operations }, { rejections, conflicts }, names) {
  if (phase === "inFlight") return "On its way.";
  if (phase === "unknown") return "Sent, and not answered. The remote is read first, to see whether it was applied.";
  if (phase === "held") return "Sent, and not answered. You are asked whether it was applied.";
  if (conflicts.some((conflict) => conflict.className === className && conflict.objectId === objectId)) {
    return "Waits until the conflict about it is decided.";
  }
  const ways = [
    [rejections.filter(({ kind }) => kind === "create"), "which was refused."],
    [conflicts.filter(({ kind }) => kind === "ambiguousCreate"), "which is in conflict."],
  ];
  for (const [items, words] of ways) {
    const blocker = items.find((item) => pointsTo(operations, item));
    if (blocker) return `Waits for ${isolated(names.of(blocker.className, blocker.objectId))}, ${words}`;
  }
  return null;
}

/** Whether a value holds a pointer to an object, however deep. */
function pointsTo(value, object) {
  if (typeof value !== "object" || value === null) return false;
  const { __type: type, className, objectId } = value;
  if (type === "Pointer") return className === object.className && objectId === object.objectId;
  return Object.values(value).some((item) => pointsTo(item, object));
}
