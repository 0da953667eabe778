// Shows the captions and the cards of the objects to which the page links, and keeps the captions up to date.

import { createCaptionStore } from "./caption-store.js";
import { showObjectCards } from "./object-card.js";
import { whyMissing } from "./missing-object.js";
import { showCaptions } from "./pointer-link.js";

/**
 * @param captions the caption fields of the classes
 * @param know `(className)`: resolves when the page knows the field types of a class
 */
export function showObjectCaptions(root, { api, state, captions, know }) {
  const missing = (className) => whyMissing(state.values, className);
  const store = createCaptionStore({
    async read(className, objectIds) {
      await know(className);
      const where = { objectId: { $in: objectIds } };
      return api.findCaptions(className, { where, keys: captions.keysOf(className), limit: objectIds.length });
    },
    textOf: captions.textOf,
    whyMissing: missing,
    onRead: () => paint(),
  });
  const paint = showCaptions(root, store);
  showObjectCards(root, { read: api.read, captionOf: captions.textOf, whyMissing: missing });

  return {
    /** Reads the captions of changed classes again. Without classes, reads the captions again whose read has failed. */
    changed({ all = false, classNames = [] }) {
      if (all) store.forget();
      for (const className of classNames) store.forget(className);
      paint();
    },
  };
}
