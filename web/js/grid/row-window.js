// The loaded rows of a long list. The rows are read in chunks; the chunks near the visible rows are kept.

/** The number of rows of a chunk. */
export const chunkSize = 100;
/** The maximum number of kept chunks. */
const keptMax = 30;

/** The numbers of the chunks that hold the rows from `first` to `last`. */
export function chunksOf(first, last, total) {
  const end = Math.min(last, total - 1);
  const numbers = [];
  for (let number = Math.floor(Math.max(0, first) / chunkSize); number * chunkSize <= end; number += 1) numbers.push(number);
  return numbers;
}

/** The row with a number; null if it is not loaded. */
export function rowAt({ chunks }, index) {
  return chunks?.get(Math.floor(index / chunkSize))?.[index % chunkSize] ?? null;
}

/** The number of the row of an object; -1 if it is not loaded. */
export function indexOf({ chunks }, objectId) {
  for (const [number, rows] of chunks ?? []) {
    const at = rows.findIndex((row) => row.objectId === objectId);
    if (at >= 0) return number * chunkSize + at;
  }
  return -1;
}

/** Adds a chunk, and removes the chunks that are farthest from it if there are too many. Returns the new map. */
export function withChunk(chunks, number, rows) {
  const all = new Map(chunks).set(number, rows);
  const byDistance = [...all.keys()].sort((one, other) => Math.abs(one - number) - Math.abs(other - number));
  for (const far of byDistance.slice(keptMax)) all.delete(far);
  return all;
}

/** The loaded rows in the order of the list. */
export function loadedRows(chunks) {
  return [...chunks.keys()].sort((one, other) => one - other).flatMap((number) => chunks.get(number));
}

/**
 * Whether two versions of a chunk show the same objects at the same places. A new object may have got its final id.
 */
export function isSamePlaces(shown, fresh) {
  return (
    shown.length === fresh.length &&
    shown.every((row, at) => row.objectId === fresh[at].objectId || row._sync?.state === "created")
  );
}
