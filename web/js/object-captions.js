// Shows the captions and the cards of the objects to which the page links, and keeps the captions up to date.

import { createCaptionStore } from "./caption-store.js";
import { showObjectCards } from "./object-card.js";
import { hasNoObjects, whyMissing } from "./missing-object.js";
import { showCaptions } from "./pointer-link.js";

/** The maximum number of objects of a class that are read with all fields, to guess the caption field from them. */
const wholeMax = 20;

/**
 * @param captions the caption fields of the classes
 * @param knowAll `(classNames, isKnown)`: resolves when the page knows the field types of classes, except of those that `isKnown`
 *   names
 * @param learn `(className, objects)`: learns the field types of a class from objects
 */
export function showObjectCaptions(root, { api, state, captions, knowAll, learn }) {
  const missing = (className) => whyMissing(state.values, className);
  /** Resolves to the answers to batches: [[batch, answer]]. */
  async function readBatches(batches) {
    const hasField = (className) => captions.of(className) !== null;
    const large = batches.filter(([, { length }]) => length > wholeMax).map(([className]) => className);
    await knowAll([...new Set(batches.map(([className]) => className))], (className) => hasField(className) || !large.includes(className));
    const queries = batches.map(([className, objectIds]) => ({
      className,
      where: { objectId: { $in: objectIds } },
      keys: hasField(className) || large.includes(className) ? captions.keysOf(className) : null,
      order: "objectId",
      limit: objectIds.length,
    }));
    const found = await api.findMany(queries);
    queries.forEach(({ className, keys }, at) => keys === null && Array.isArray(found[at]) && learn(className, found[at]));
    return batches.map((batch, at) => [batch, found[at]]);
  }

  const store = createCaptionStore({
    async read(wanted) {
      const batches = wanted.filter(([className]) => !hasNoObjects(state.values, className));
      const answers = new Map(batches.length > 0 ? await readBatches(batches) : []);
      return wanted.map((batch) => answers.get(batch) ?? []);
    },
    textOf: captions.textOf,
    whyMissing: missing,
    onRead() {
      paint();
      state.redraw();
    },
  });
  const paint = showCaptions(root, store);
  showObjectCards(root, { hasNone: (className) => hasNoObjects(state.values, className), read: api.read, captionOf: captions.textOf, whyMissing: missing });

  return {
    /** The caption of the object of a pointer; its id, until the page knows the caption. The page is then drawn again. */
    textOf: ({ className, objectId }) => store.of(className, objectId)?.text ?? objectId,
    /** Reads the captions of changed classes again. Without classes, reads the captions again whose read has failed. */
    changed({ all = false, classNames = [] }) {
      if (all) store.forget();
      for (const className of classNames) store.forget(className);
      paint();
    },
  };
}
