// The last syncs and how many changes waited, as this tab has seen them. A reload keeps them; a closed tab forgets.

const name = "tidegate.history";
const kept = { syncs: 30, waiting: 120 };

/** What an earlier load of the page has kept. */
export function keptHistory(storage = window.sessionStorage) {
  try {
    const { syncs, waiting } = JSON.parse(storage.getItem(name));
    return { syncs, waiting };
  } catch {
    return { syncs: [], waiting: [] };
  }
}

/**
 * A history that goes on with a status of the gateway; the same one where that tells nothing new.
 *
 * @param history {syncs: [{at, durationMs, pulled, pushed, …}], waiting: [{at, count}]}, oldest first
 */
export function withStatus({ syncs, waiting }, status, now = Date.now()) {
  const history = { syncs: withSync(syncs, status), waiting: withCount(waiting, status, now) };
  if (history.syncs === syncs && history.waiting === waiting) return { syncs, waiting };
  window.sessionStorage.setItem(name, JSON.stringify(history));
  return history;
}

/** While a sync runs, the time may be its own and the figures still those of the one before. */
function withSync(syncs, { state, lastSyncAt, lastSummary }) {
  if (state === "running" || !lastSyncAt || !lastSummary || syncs.at(-1)?.at === lastSyncAt) return syncs;
  const { classes, ...figures } = lastSummary;
  return [...syncs, { at: lastSyncAt, ...figures }].slice(-kept.syncs);
}

function withCount(waiting, { mode, pending }, now) {
  if (mode !== "replica" || waiting.at(-1)?.count === pending) return waiting;
  return [...waiting, { at: now, count: pending }].slice(-kept.waiting);
}
