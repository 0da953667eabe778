// Polls the change feed for the names of the classes that have changed since the last poll.

import { ApiError } from "./api.js";

const pageLimit = 500;
/** The maximum number of pages of changes that one poll reads. For more changes, reading all lists again is cheaper. */
const pagesMax = 4;

/**
 * Creates a feed. `next()` resolves to {all: false, classNames}, with the classes that have changed since the previous call. It
 * resolves to {all: true} if any class may have changed.
 */
export function createFeed(api) {
  let since = null;

  async function next() {
    if (since === null) {
      since = (await api.changes("latest", 1)).next;
      return { all: true };
    }
    const classNames = new Set();
    for (let page = 0; page < pagesMax; page += 1) {
      const changes = await readPage(api, since, pageLimit);
      if (changes === null) break;
      since = changes.next;
      for (const { className } of changes.results) classNames.add(className);
      if (changes.results.length < pageLimit) return { all: false, classNames };
    }
    since = null;
    return next();
  }

  return {
    next,
    /** The position after the last read change; null before the first call of `next`. */
    position: () => since,
    /** Forgets the position in the feed, so that `next` resolves to {all: true}. */
    reset() {
      since = null;
    },
  };
}

/** Reads one page of changes. Null if the feed no longer holds the changes after the position `since`. */
async function readPage(api, since, limit) {
  try {
    return await api.changes(since, limit);
  } catch (error) {
    if (error instanceof ApiError && error.status === 410) return null;
    throw error;
  }
}
