// Listens to the gateway's events, which report changes and sync progress. While the connection is interrupted, the page polls
// instead.

import { ApiError } from "./api.js";

/** Changes within this time are reported together. */
const batchMs = 120;
const reconnectMs = { least: 1_000, most: 15_000 };

/**
 * @param onChange called after changes
 * @param onStatus called with a changed sync status, as GET /sync returns it; returns whether lists have to be read again
 */
export function createLiveEvents(api, { onChange, onStatus }) {
  let isOpen = false;
  let connection = null;
  let batchTimer = null;
  let delayMs = reconnectMs.least;

  function reportChange() {
    batchTimer ??= setTimeout(() => {
      batchTimer = null;
      onChange();
    }, batchMs);
  }

  function receive({ type, data }) {
    if (type === "change" || type === "gone") reportChange();
    if (type === "sync" && onStatus(JSON.parse(data))) reportChange();
  }

  /** Reports a change when the connection opens, because earlier changes produce no events. */
  function opened() {
    isOpen = true;
    delayMs = reconnectMs.least;
    reportChange();
  }

  /** Listens until `stop` is called or the gateway is locked. Reconnects after interruptions. */
  async function start() {
    if (connection) return;
    connection = new AbortController();
    const { signal } = connection;
    while (!signal.aborted && (await listen(signal))) {
      isOpen = false;
      if (signal.aborted) break;
      reportChange();
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      delayMs = Math.min(delayMs * 2, reconnectMs.most);
    }
    if (connection?.signal === signal) stop();
  }

  /** Closes the connection, because browsers limit the connections of all tabs together. */
  function stop() {
    connection?.abort();
    connection = null;
    isOpen = false;
  }

  /** Listens until the connection closes. Resolves to whether to reconnect. */
  async function listen(signal) {
    try {
      await api.events(receive, opened, signal);
      return true;
    } catch (error) {
      return !(error instanceof ApiError && error.isLocked);
    }
  }

  return { start, stop, isOpen: () => isOpen };
}
