// Reads the rows of a table from the gateway, in chunks. A chunk beside a loaded one is read by the values of the nearest row, any
// other chunk by its number.

import { fullOrder, keysetCondition, reversedOrder } from "./keyset.js";
import { chunksOf, chunkSize, isSamePlaces, loadedRows, withChunk } from "./row-window.js";
import { allOf } from "../filters/filter.js";
import { isEqual, userFields } from "../values.js";

/** The number of rows after the first visible row that a new list needs at once. */
const firstRows = 60;
/** The maximum number of shown objects whose new ids are read at once. */
const newIdsMax = 50;
let versions = 0;

export function createRowReader(api) {
  /** The chunks that are being read, as texts "version number". */
  const running = new Set();

  /** Reads the rows around the row `at`: {chunks, objects, total, version, readAt}. `readAt` is that of `ownWrites.isOwn`. */
  async function read(className, { where, order, at, signal }) {
    const query = (number) => ({ where, order: fullOrder(order), skip: number * chunkSize, limit: chunkSize, signal });
    const first = Math.floor(at / chunkSize);
    const readAt = api.ownWrites.endedCount();
    const { results, count } = await api.findPage(className, query(first));
    // If objects were deleted, the requested row may lie beyond the last row.
    const last = Math.max(0, Math.ceil(count / chunkSize) - 1);
    if (first > last) return read(className, { where, order, at: last * chunkSize, signal });
    let chunks = withChunk(new Map(), first, results);
    for (const number of chunksOf(at, at + firstRows, count)) {
      if (!chunks.has(number)) chunks = withChunk(chunks, number, await api.find(className, query(number)));
    }
    return { chunks, objects: loadedRows(chunks), total: count, version: ++versions, readAt };
  }

  /**
   * Reads the missing chunks with the rows from `first` to `last`.
   *
   * @param take `(number, rows)`: adds a chunk to the list; returns the chunks of the list, null if the list is outdated
   */
  async function need(className, list, first, last, take) {
    let now = list;
    for (const number of chunksOf(first, last, list.total)) {
      const key = `${list.version} ${number}`;
      if (now.chunks.has(number) || running.has(key)) continue;
      running.add(key);
      try {
        const chunks = take(number, await readChunk(className, now, number));
        if (chunks === null) return;
        now = { ...now, chunks };
      } finally {
        running.delete(key);
      }
    }
  }

  async function readChunk(className, { chunks, order, conditions, total }, number) {
    const size = Math.min(chunkSize, total - number * chunkSize);
    const beside = [
      [chunks.get(number - 1)?.at(-1), false],
      [chunks.get(number + 1)?.[0], true],
    ];
    for (const [row, isBefore] of beside) {
      const condition = row === undefined ? null : keysetCondition(row, order, isBefore);
      if (condition === null) continue;
      const rows = await api.find(className, {
        where: allOf(condition, conditions),
        order: isBefore ? reversedOrder(order) : fullOrder(order),
        limit: chunkSize,
      });
      // Rows without a value in the sort field do not fulfil the condition. If some are missing, the chunk is read by its number.
      if (rows.length >= size) return isBefore ? rows.reverse() : rows;
    }
    return api.find(className, { where: conditions, order: fullOrder(order), skip: number * chunkSize, limit: chunkSize });
  }

  /**
   * The shown list with the present values of its rows in their old places; null if no row has moved. `held` has the ids of the
   * objects that others have changed, `gone` the ids of shown objects that are no longer there.
   */
  async function inPlace(className, shown, fresh) {
    const numbers = [...fresh.chunks.keys()].filter((number) => shown.chunks.has(number));
    const isSame = fresh.total === shown.total && numbers.every((number) => isSamePlaces(shown.chunks.get(number), fresh.chunks.get(number)));
    if (isSame || numbers.length === 0) return null;
    const before = new Map(numbers.flatMap((number) => shown.chunks.get(number)).map((row) => [row.objectId, row]));
    const ids = [...before.keys()];
    const present = await api.find(className, { where: { objectId: { $in: ids } }, order: "objectId", limit: ids.length });
    const now = new Map(present.map((row) => [row.objectId, row]));
    const pushed = await withNewIds(className, [...before.values()].filter(({ objectId }) => !now.has(objectId)));
    for (const [shownId, row] of pushed) now.set(shownId, row);
    const pushedIds = new Set([...pushed.values()].map(({ objectId }) => objectId));
    // A new object is counted anew each time, because its push gives it another id.
    const held = new Set([...(shown.held ?? [])].filter((id) => before.has(id)));
    const isOwn = (row) => api.ownWrites.isOwn(className, row, fresh.readAt);
    const isNew = (row) => !pushedIds.has(row.objectId) && hasOtherFields(before.get(row.objectId), row) && !isOwn(row);
    // For each row that a change has moved away, an unchanged row has moved in. Unchanged rows have the oldest times.
    const freshIds = new Set(fresh.objects.map(({ objectId }) => objectId));
    const isChanged = (row) => isNew(row) || isOwn(row);
    const movedAway = present.filter((row) => !freshIds.has(row.objectId) && isChanged(row)).length;
    const movedIn = fresh.objects.filter((row) => !before.has(row.objectId) && isNew(row)).sort((one, other) => one.updatedAt.localeCompare(other.updatedAt));
    for (const row of movedIn.slice(movedAway)) held.add(row.objectId);
    for (const row of present) if (isNew(row)) held.add(row.objectId);
    const gone = new Set(ids.filter((id) => !now.has(id)));
    for (const id of gone) if (!api.ownWrites.isOwnDeletion(className, id)) held.add(id);
    const rows = (number) => shown.chunks.get(number).map((row) => keptRow(row, now.get(row.objectId) ?? row));
    const chunks = new Map(numbers.map((number) => [number, rows(number)]));
    return { ...shown, chunks, objects: loadedRows(chunks), held, gone };
  }

  /** The objects that got other ids when their creates were pushed, by the ids of their shown rows. */
  async function withNewIds(className, gone) {
    const created = gone.filter(({ _sync }) => _sync?.state === "created").slice(0, newIdsMax);
    const read = await Promise.all(created.map(({ objectId }) => api.read(className, objectId).catch(() => null)));
    // An object that was deleted has no other id.
    return new Map(created.map(({ objectId }, index) => [objectId, read[index]]).filter(([, row]) => row !== null));
  }

  return { read, need, inPlace };
}

/** A new list with the rows of the shown list in place of equal new ones, so that the page need not draw them again. */
export function withKept(list, shown) {
  const before = new Map(shown.objects.map((row) => [row.objectId, row]));
  const kept = (rows) => rows.map((row) => keptRow(before.get(row.objectId), row));
  const chunks = new Map([...list.chunks].map(([number, rows]) => [number, kept(rows)]));
  return { ...list, chunks, objects: loadedRows(chunks) };
}

/** Whether an object is new, or has other fields than before. A push changes only its times and its state. */
function hasOtherFields(before, row) {
  return before === undefined || !isEqual(userFields(before), userFields(row));
}

function keptRow(before, row) {
  return before !== undefined && isEqual(before, row) ? before : row;
}
