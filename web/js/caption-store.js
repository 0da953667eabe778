// The captions of objects to which pointers point. The captions are read in batches, and a bounded number of them is stored.

import { ApiError } from "./api.js";
import { t } from "./texts.js";

/** The maximum number of objects per request, and of stored captions. */
const batchMax = 100;
const storedMax = 5_000;
/** The time in milliseconds during which wanted captions are collected. */
const collectMs = 20;


/**
 * @param read `(batches)`: for each batch [className, objectIds], resolves to the objects that are there, with the fields of their
 *   captions, or to the ApiError of the batch
 * @param textOf `(className, object)`: the caption of an object, or null
 * @param whyMissing `(className)`: {word, why} for an object that was not found, see `missing-object.js`
 * @param onRead called after captions were read
 */
export function createCaptionStore({ read, textOf, whyMissing, onRead }) {
  const stored = new Map();
  const wanted = new Map();
  /** The captions that are being read. A forgotten caption is no longer in it, so that an outdated answer is not stored. */
  const reading = new Map();
  let timer = null;

  const keyOf = (className, objectId) => `${className}/${objectId}`;

  function put(key, entry) {
    stored.set(key, entry);
    for (const oldest of stored.keys()) {
      if (stored.size <= storedMax) break;
      stored.delete(oldest);
    }
  }

  async function readWanted() {
    timer = null;
    const batches = [...wanted].flatMap(([className, ids]) => batchesOf([...ids]).map((batch) => [className, batch]));
    wanted.clear();
    const marks = batches.map(([className, ids]) => begin(className, ids));
    // Without an answer, the captions stay unknown.
    const answers = await read(batches).catch((error) => batches.map(() => (error instanceof ApiError ? error : null)));
    batches.forEach(([className, ids], at) => take(className, ids, marks[at], answers[at]));
    onRead();
  }

  function begin(className, ids) {
    const mark = Symbol(className);
    for (const id of ids) reading.set(keyOf(className, id), mark);
    return mark;
  }

  function take(className, ids, mark, answer) {
    const entryOf = answer && entries(className, answer);
    for (const id of ids) {
      const key = keyOf(className, id);
      if (reading.get(key) !== mark) continue;
      reading.delete(key);
      if (entryOf) put(key, entryOf(id));
    }
  }

  /** A function from an id to its entry. */
  function entries(className, answer) {
    if (answer instanceof ApiError) return () => ({ word: t("not readable"), why: answer.message });
    const found = new Map(answer.map((object) => [object.objectId, object]));
    return (id) => (found.has(id) ? { text: textOf(className, found.get(id)) ?? id } : whyMissing(className));
  }

  return {
    /**
     * The caption of an object: {text}, or {word, why} for an object that cannot be read. Undefined for an unknown caption, which
     * is then read.
     */
    of(className, objectId) {
      const entry = stored.get(keyOf(className, objectId));
      if (entry || reading.has(keyOf(className, objectId))) return entry;
      if (!wanted.has(className)) wanted.set(className, new Set());
      wanted.get(className).add(objectId);
      timer ??= setTimeout(readWanted, collectMs);
      return undefined;
    },
    /** Forgets the captions of a class, because its objects have changed; without a class, all captions. */
    forget(className) {
      for (const map of [stored, reading]) {
        for (const key of map.keys()) if (className === undefined || key.startsWith(`${className}/`)) map.delete(key);
      }
    },
  };
}

function batchesOf(ids) {
  const batches = [];
  for (let at = 0; at < ids.length; at += batchMax) batches.push(ids.slice(at, at + batchMax));
  return batches;
}
