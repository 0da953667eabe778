// The gateway's events as they happen: they tell the page that there is news, and how a sync goes on. While the line is
// broken, the heartbeat looks by itself.

import { ApiError } from "./api.js";

/** Several changes in a short time are one piece of news. */
const gatherMs = 120;
const againMs = { least: 1_000, most: 15_000 };

/**
 * @param onNews something changed
 * @param onStatus gets the answer of GET /sync when it has changed; returns whether that is news as well
 */
export function createLive(api, { onNews, onStatus }) {
  let isOpen = false;
  let line = null;
  let gathering = null;
  let delayMs = againMs.least;

  function ring() {
    gathering ??= setTimeout(() => {
      gathering = null;
      onNews();
    }, gatherMs);
  }

  function hear({ type, data }) {
    if (type === "change" || type === "gone") ring();
    if (type === "sync" && onStatus(JSON.parse(data))) ring();
  }

  /** What happened before the line was open is read, not heard. */
  function begin() {
    isOpen = true;
    delayMs = againMs.least;
    ring();
  }

  /** Listens until it is told to stop, or the gateway is locked. */
  async function follow() {
    if (line) return;
    line = new AbortController();
    const { signal } = line;
    while (!signal.aborted && (await listen(signal))) {
      isOpen = false;
      if (signal.aborted) break;
      ring();
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      delayMs = Math.min(delayMs * 2, againMs.most);
    }
    if (line?.signal === signal) stop();
  }

  /** Lets the line go: browsers have few of them for all their tabs. */
  function stop() {
    line?.abort();
    line = null;
    isOpen = false;
  }

  /** Listens until the line breaks. Resolves to whether to try again. */
  async function listen(signal) {
    try {
      await api.events(hear, begin, signal);
      return true;
    } catch (error) {
      return !(error instanceof ApiError && error.isLocked);
    }
  }

  return { follow, stop, isOpen: () => isOpen };
}
