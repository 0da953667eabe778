// Reads the selected objects page by page. The objects of a filter are read in the order of their ids, so that changes of the list
// meanwhile leave out no object.

import { allOf } from "../filters/filter.js";

/** The maximum numbers of objects per request: of a filter, and by their ids, which are a part of the request's address. */
const pageMax = 1_000;
const idsMax = 200;

/**
 * Reads the selected objects and passes them on page by page.
 *
 * @param selection {isAll, ids, except}
 * @param conditions the `where` of the list
 * @param keys the fields to read; null for all
 * @param take `(objects)`: called with each page
 * @returns the selected ids that lead to no object
 */
export async function readSelected(api, className, { selection, conditions, keys = null, signal }, take) {
  const { isAll, ids, except } = selection;
  if (!isAll) {
    const found = await readByIds(api, className, [...ids], { keys, signal });
    take([...new Set(found.values())]);
    return [...ids].filter((id) => !found.has(id));
  }
  let last = null;
  for (;;) {
    const where = last === null ? conditions : allOf(conditions, { objectId: { $gt: last } });
    const page = await api.find(className, { where, order: "objectId", limit: pageMax, keys, signal });
    // A gateway may lower the limit, so only an empty page is the end.
    if (page.length === 0) return [];
    take(page.filter(({ objectId }) => !except.has(objectId)));
    last = page.at(-1).objectId;
  }
}

/** Reads objects by their ids: a map from id to object. An object that has got another id since is found by its earlier id too. */
export async function readByIds(api, className, ids, { keys = null, signal } = {}) {
  const found = new Map();
  for (let at = 0; at < ids.length; at += idsMax) {
    const piece = ids.slice(at, at + idsMax);
    const byId = await readPiece(api, className, piece, { keys, signal });
    for (const id of piece) {
      const object = byId.get(id) ?? (await objectOfAlias(api, className, id, byId));
      if (object !== undefined) found.set(id, object);
    }
  }
  return found;
}

async function readPiece(api, className, ids, { keys, signal }) {
  const byId = new Map();
  let wanted = ids;
  // A gateway may lower the limit.
  while (wanted.length > 0) {
    const where = { objectId: { $in: wanted } };
    const page = await api.find(className, { where, order: "objectId", limit: wanted.length, keys, signal });
    if (page.length === 0) break;
    for (const object of page) byId.set(object.objectId, object);
    if (page.length === wanted.length) break;
    wanted = wanted.filter((id) => !byId.has(id));
    // The rest are missing objects and earlier ids of objects, unless the page was cut off.
    if (page.every(({ objectId }) => !ids.includes(objectId))) break;
  }
  return byId;
}

/** The object whose earlier id an id is; undefined if there is none among the read ones. */
async function objectOfAlias(api, className, id, byId) {
  if (byId.size === 0) return undefined;
  try {
    return byId.get((await api.read(className, id)).objectId);
  } catch (error) {
    if (error.isGone) return undefined;
    throw error;
  }
}
