// Polls the change feed for the classes that have changed since the last poll.

import { ApiError } from "./api.js";

const pageLimit = 500;
/** The maximum number of pages per poll. With more changes, reading everything again is cheaper. */
const pagesMax = 4;

/** `next()` resolves to {all: false, classNames}, or to {all: true} if everything has to be read again. */
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
    /** Forgets the position in the feed, so that the next poll reads everything again. */
    reset() {
      since = null;
    },
  };
}

/** One page of changes; null if the feed no longer holds changes since that position. */
async function readPage(api, since, limit) {
  try {
    return await api.changes(since, limit);
  } catch (error) {
    if (error instanceof ApiError && error.status === 410) return null;
    throw error;
  }
}
