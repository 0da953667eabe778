// Listens to the gateway's events about changes and sync progress. While the connection is interrupted, the page polls often.

import { ApiError } from "./api.js";

/** The time in milliseconds during which changes are collected, to be reported by one call of `onChange`. */
const batchMs = 120;
const reconnectMs = { least: 1_000, most: 15_000 };

/**
 * @param position returns the position in the change feed up to which the page knows all changes; null if it knows none
 * @param onOpen called when the connection is open
 * @param onChange called after changes, when the connection closes, and when changes may have been missed
 * @param onStatus called with a new sync status in the format of GET /sync; returns whether `onChange` has to be called
 */
export function createLiveEvents(api, { position, onOpen, onChange, onStatus }) {
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

  /** Called when the connection opens. Without a known position, the page has missed the events of earlier changes. */
  function opened(isComplete) {
    isOpen = true;
    delayMs = reconnectMs.least;
    if (!isComplete) reportChange();
    onOpen();
  }

  /** Listens until `stop` is called or the gateway requires an access key. Connects again after an interruption. */
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

  /** Closes the connection. A hidden page calls this, because browsers limit the total number of connections of all tabs. */
  function stop() {
    connection?.abort();
    connection = null;
    isOpen = false;
  }

  /** Listens until the connection closes. Resolves to whether to connect again. */
  async function listen(signal) {
    const since = position();
    try {
      await api.events(since ?? "latest", receive, () => opened(since !== null), signal);
      return true;
    } catch (error) {
      return !(error instanceof ApiError && error.isLocked);
    }
  }

  return {
    start,
    stop,
    isOpen: () => isOpen,
    /** Whether the connection is open or opens. If it does not open, that is reported as a change. */
    isListening: () => connection !== null,
  };
}
