// The search for an object of a class by caption or id, behind an input with suggestions.

import { t } from "../texts.js";

/** The maximum number of suggested objects. */
const suggestionsMax = 20;
/** The pause in typing, in milliseconds, after which the text is sent to the gateway. */
const typingMs = 200;

/**
 * @param services {suggest, lookUp}, see `services.js`
 * @param onFound `(texts)`: shows the texts of the found objects
 */
export function createObjectSearch(className, { suggest, lookUp }, onFound) {
  const idOfText = new Map();
  const textOfId = new Map();
  const idsOfCaption = new Map();
  /** The ids of the objects that the search for a text has found, for each text whose search has ended. */
  const searched = new Map();
  let typing = null;
  let latest = 0;

  /** Remembers an object. Captions are not unique, so its text includes its id. */
  function learn({ objectId, words }) {
    const text = words === objectId ? objectId : `${words} · ${objectId}`;
    idOfText.set(text, objectId);
    textOfId.set(objectId, text);
    idsOfCaption.set(words, (idsOfCaption.get(words) ?? new Set()).add(objectId));
    return text;
  }

  async function searchNow(typed) {
    const text = typed.trim();
    latest += 1;
    const number = latest;
    const found = await suggest(className, text, suggestionsMax);
    const texts = found.map(learn);
    searched.set(text, found.map(({ objectId }) => objectId));
    if (number === latest) onFound(texts);
  }

  return {
    searchNow,
    /** Searches for a text after a pause in typing. */
    searchSoon(typed) {
      clearTimeout(typing);
      if (idOfText.has(typed.trim())) return;
      typing = setTimeout(() => searchNow(typed).catch(() => {}), typingMs);
    },
    /** Resolves when the search for a text has ended. Without an answer of the gateway, nothing is found. */
    async finish(typed) {
      clearTimeout(typing);
      const text = typed.trim();
      if (text !== "" && !idOfText.has(text) && !searched.has(text)) await searchNow(typed).catch(() => {});
      if (!searched.has(text)) searched.set(text, []);
    },
    stop: () => clearTimeout(typing),
    /** Whether the search has found an object. */
    isKnown: (objectId) => textOfId.has(objectId),
    /** Resolves to the text of an object; null if there is no such object here. */
    async textOf(objectId) {
      if (textOfId.has(objectId)) return textOfId.get(objectId);
      const found = await lookUp(className, objectId);
      return found && learn(found);
    },
    /**
     * The id of the object that a text names: by caption and id, by caption, by id, or by a part of the caption that no other object
     * has. Undefined for an empty text, an Error for a text that names no object, or several. A text whose search has not ended
     * counts as an id.
     */
    idOf(typed) {
      const text = typed.trim();
      if (text === "") return undefined;
      const named = [...(idsOfCaption.get(text) ?? [])];
      if (named.length > 1) return new Error(t("{count} objects of {className} have this name. Choose one from the list.", { count: named.length, className }));
      const exact = idOfText.get(text) ?? named[0];
      if (exact !== undefined) return exact;
      const found = searched.get(text) ?? [];
      if (found.length === 1) return found[0];
      if (found.length > 1 && !found.includes(text)) return new Error(t("Several objects of {className} match. Choose one from the list.", { className }));
      const objectId = text;
      if (searched.has(text) && !/^[\w-]+$/.test(objectId)) return new Error(t("Choose an object of {className}, or enter an id.", { className }));
      return objectId;
    },
  };
}
