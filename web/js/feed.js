// The change feed, read by polling: which classes changed since the last look.

import { ApiError } from "./api.js";

const pageLimit = 500;
/** More pages than this in one look mean that everything is worth reading again. */
const pagesMax = 4;

/** `next()` resolves to {all: true} when everything has to be read again, else to {all: false, classNames}. */
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
    /** Forgets the place in the feed: after a break, everything is read again. */
    reset() {
      since = null;
    },
  };
}

/** A page of changes; null where the feed no longer reaches back that far. */
async function readPage(api, since, limit) {
  try {
    return await api.changes(since, limit);
  } catch (error) {
    if (error instanceof ApiError && error.status === 410) return null;
    throw error;
  }
}
