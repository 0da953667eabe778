// The gateway's events as they happen: they tell the page that there is news, and how a sync goes on. Where the gateway
// has no events, or the line breaks, the heartbeat looks by itself.

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
  let isFollowing = false;
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

  /** Follows the events for as long as the gateway has any to offer. */
  async function follow() {
    if (isFollowing) return;
    isFollowing = true;
    try {
      while (await listen()) {
        isOpen = false;
        ring();
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        delayMs = Math.min(delayMs * 2, againMs.most);
      }
    } finally {
      isOpen = false;
      isFollowing = false;
    }
  }

  /** Listens until the line breaks. Resolves to whether to try again. */
  async function listen() {
    try {
      return await api.events(hear, begin);
    } catch (error) {
      return !(error instanceof ApiError);
    }
  }

  return { follow, isOpen: () => isOpen };
}
