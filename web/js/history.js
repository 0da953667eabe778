// The history of syncs and of the number of pending changes. The browser tab keeps the history until the tab is closed.

const name = "tidegate.history";
const kept = { syncs: 30, pendingCounts: 120 };

/** The history that was stored before a reload; empty if none was stored. */
export function storedHistory(storage = window.sessionStorage) {
  try {
    const { syncs, pendingCounts } = JSON.parse(storage.getItem(name));
    return { syncs, pendingCounts };
  } catch {
    return { syncs: [], pendingCounts: [] };
  }
}

export function forgetHistory(storage = window.sessionStorage) {
  storage.removeItem(name);
}

/**
 * Adds a sync status to the history: its last sync and its number of pending changes, each if it is new. Returns the history.
 *
 * @param history {syncs: [{at, durationMs, pulled, pushed, …}], pendingCounts: [{at, count}]}, each oldest first
 */
export function withStatus({ syncs, pendingCounts }, status, now = Date.now()) {
  const history = { syncs: withSync(syncs, status), pendingCounts: withCount(pendingCounts, status, now) };
  if (history.syncs === syncs && history.pendingCounts === pendingCounts) return { syncs, pendingCounts };
  window.sessionStorage.setItem(name, JSON.stringify(history));
  return history;
}

/** Adds the last finished sync, if it is new. The next sync may already be running. */
function withSync(syncs, { lastSummary }) {
  if (!lastSummary || syncs.at(-1)?.at === lastSummary.at) return syncs;
  const { classes, ...figures } = lastSummary;
  return [...syncs, figures].slice(-kept.syncs);
}

function withCount(pendingCounts, { mode, pending }, now) {
  if (mode !== "replica" || pendingCounts.at(-1)?.count === pending) return pendingCounts;
  return [...pendingCounts, { at: now, count: pending }].slice(-kept.pendingCounts);
}
