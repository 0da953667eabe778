// The search of a class: the query for a text, and the text that says which fields are searched.

import { ApiError } from "./api.js";
import { searchQuery } from "./search-query.js";
import { plural, t } from "./texts.js";

/** The maximum number of fields that the text names. */
const namedMax = 8;
/** The types of fields that are searched. */
const searchedTypes = new Set(["String", "Array", "Number", "Boolean", "Date"]);

/**
 * @param types the known field types of the classes
 * @param captionField `(className)`: the caption field of a class, or null
 */
export function createClassSearch({ state, types, captionField }) {
  const typesOf = (className) => state.values.types.get(className) ?? {};

  /** Whether the user may read a class, so that a query about its objects does not fail. */
  async function isReadable(className) {
    try {
      await types.know(className);
      return true;
    } catch (error) {
      if (error instanceof ApiError && !error.isLocked) return false;
      throw error;
    }
  }

  /** Resolves to the pointers of a class that are searched by caption: {field: {className, caption}}. */
  async function captionsOf(className) {
    const pointers = Object.entries(typesOf(className)).filter(([, { type, targetClass }]) => type === "Pointer" && targetClass);
    const targets = [...new Set(pointers.map(([, { targetClass }]) => targetClass))];
    const readable = await Promise.all(targets.map(isReadable));
    const isSearched = (target) => readable[targets.indexOf(target)] && typesOf(target)[captionField(target)]?.type === "String";
    return Object.fromEntries(
      pointers
        .filter(([, { targetClass }]) => isSearched(targetClass))
        .map(([field, { targetClass }]) => [field, { className: targetClass, caption: captionField(targetClass) }]),
    );
  }

  /** Resolves to the query for a search text, and the text about the searched fields: {where, searched}. */
  return async function searchOf(className, text) {
    if (text.trim() === "") return { where: null, searched: "" };
    const captions = await captionsOf(className);
    const paths = types.textPaths(className);
    const isUtc = state.values.remembered.times === "utc";
    return { where: searchQuery(text, typesOf(className), { captions, paths, isUtc }), searched: searchedText(typesOf(className), captions, paths) };
  };
}

/** The sentence that names the searched fields. */
export function searchedText(types, captions, paths) {
  const own = Object.keys(types).filter((name) => searchedTypes.has(types[name].type) && !["objectId", "createdAt", "updatedAt"].includes(name));
  const names = [...own, ...Object.keys(captions).map((name) => t("captions of {name}", { name })), ...paths];
  const more = names.length > namedMax ? plural(" and {count} more field", " and {count} more fields", { count: names.length - namedMax }) : "";
  return t("Searched: ids, {names}{more}.", { names: names.slice(0, namedMax).join(", "), more });
}
