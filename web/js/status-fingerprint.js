// The parts of the sync status that the page compares with the previous status, to find out which lists it has to read again.

/**
 * The fingerprint of a sync status and of the users: the parts that affect lists, as one text. If this text changes, lists are read
 * again.
 *
 * @param status the status, with the time of the last sync that may have changed a list in `movedAt`
 */
export function fingerprintOf({ movedAt, lastError, initialSyncComplete, classes = [], ...status }, users = []) {
  const named = users.map((user) => [user.objectId, user.username, countsOf(user)]);
  const byClass = classes.map(({ name, registered, pending }) => [name, registered, pending]);
  return JSON.stringify([countsOf(status), byClass, named, movedAt, lastError?.message, initialSyncComplete]);
}

/** Whether a sync runs, and when the last one ended, as one text. */
export function workOf({ state, lastSyncAt }) {
  return JSON.stringify([state, lastSyncAt]);
}

/**
 * Whether the last sync may have changed a list of objects: it has fetched, sent or removed something, or its results are
 * unknown.
 */
export function hasMoved({ lastSummary }) {
  if (!lastSummary) return true;
  const { requests, durationMs, ...counts } = lastSummary;
  return Object.values(counts).some((count) => typeof count === "number" && count > 0);
}

function countsOf({ pending, rejections, conflicts, removals }) {
  return [pending, rejections, conflicts, removals];
}
