// The ids of the objects in a range of rows. Rows that are not loaded are read.

import { fullOrder } from "../grid/keyset.js";
import { rowAt } from "../grid/row-window.js";

/** The maximum number of rows per request. */
const readMax = 1_000;

/** Returns the ids from the row `first` to the row `last`: a list if all rows are loaded, otherwise a promise of a list. */
export function idsBetween(api, className, list, first, last) {
  const rows = Array.from({ length: last - first + 1 }, (_, at) => rowAt(list, first + at));
  return rows.includes(null) ? readIds(api, className, list, first, last) : rows.map(({ objectId }) => objectId);
}

async function readIds(api, className, { conditions, order }, first, last) {
  const ids = [];
  while (first + ids.length <= last) {
    const skip = first + ids.length;
    const limit = Math.min(readMax, last - skip + 1);
    const rows = await api.find(className, { where: conditions, order: fullOrder(order), skip, limit, keys: ["objectId"] });
    // A gateway may lower the limit, so only an empty page is the end.
    if (rows.length === 0) break;
    ids.push(...rows.map(({ objectId }) => objectId));
  }
  return ids;
}
