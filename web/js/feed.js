// The change feed, read by polling: which classes changed since the last look.

import { ApiError } from "./api.js";

const pageLimit = 500;
/** More pages than this in one look mean that everything is worth reading again. */
const pagesMax = 4;
/** Change numbers stay far below this. */
const numberMax = 2 ** 48;

/** `next()` resolves to {all: true} when everything has to be read again, else to {all: false, classNames}. */
export function createFeed(api) {
  let since = null;

  async function next() {
    if (since === null) {
      since = await endOfFeed(api);
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

/** The number of the last change. A long feed is not read to get there: the place is found by halving. */
async function endOfFeed(api) {
  const first = await readPage(api, 0, pageLimit);
  if (first !== null && first.results.length < pageLimit) return first.next;
  let before = first === null ? 0 : first.next;
  const isBefore = async (number) => {
    const page = await readPage(api, number, 1);
    return page === null || page.results.length > 0;
  };
  let end = Math.max(1024, before * 2);
  while (end < numberMax && (await isBefore(end))) {
    before = end;
    end *= 2;
  }
  while (end - before > 1) {
    const middle = before + Math.floor((end - before) / 2);
    if (await isBefore(middle)) before = middle;
    else end = middle;
  }
  return end;
}
