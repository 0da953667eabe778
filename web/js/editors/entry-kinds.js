// The kinds of entries that a list of values can have: how an entry is typed, read and shown.
//
// - `take` returns the value of a text, or an Error. It may return a promise.
// - `textOf` returns the text of a value in the input, or a promise of it.
// - `words` and `show` are a value as text, and as a node on its chip.
// - `search` finds the objects that the input names, and `options` has its suggestions; both are null for values other than pointers.

import { formatTime, formatUtcMoment, localText, localValue } from "../dates.js";
import { el, fill } from "../dom.js";
import { typedNumber } from "./exact-number.js";
import { itemOf, itemText } from "./item-text.js";
import { createObjectSearch } from "./object-search.js";
import { isPointer, pointerLabel } from "../pointer-link.js";
import { t, valueNumberText } from "../texts.js";
import { isEqual, valueText } from "../values.js";

const hint = t("Enter adds a value.");
const shown = (words) => (value) => el("bdi", {}, words(value));
const input = (attributes) => (more) => el("input", { class: "input", autocomplete: "off", ...attributes, ...more });
const choices = [["", t("Choose")], ["true", t("Yes")], ["false", t("No")]];
const text = { type: "text", dir: "auto", spellcheck: "false", autocapitalize: "off" };
const plain = { control: input(text), hint, search: null, options: null };

const kinds = {
  text: { ...plain, take: (typed) => typed, textOf: (value) => value, words: (value) => value, show: shown((value) => (value.trim() === "" ? JSON.stringify(value) : value)) },
  number: { ...plain, control: input({ ...text, inputmode: "decimal" }), take: (typed) => typedNumber(typed), textOf: (value) => valueNumberText(value), words: valueText, show: shown(valueText) },
  boolean: {
    ...plain,
    control: (more) => el("select", { class: "input", ...more }, choices.map(([key, words]) => el("option", { value: key }, words))),
    take: (typed) => typed === "true",
    textOf: String,
    words: valueText,
    show: shown(valueText),
  },
  date: {
    ...plain,
    control: input({ type: "datetime-local", step: "any", min: "0001-01-02T00:00", max: "9999-12-30T23:59" }),
    take: (typed) => localValue(typed) ?? new Error(t("Enter a date and a time.")),
    textOf: localText,
    words: ({ iso }) => formatTime(iso),
    show: ({ iso }) => el("span", { title: formatUtcMoment(iso) }, formatTime(iso)),
  },
  item: {
    ...plain,
    take: itemOf,
    textOf: itemText,
    words: itemText,
    show: shown(itemText),
    hint: t("Enter adds a value: a text, or a number, true, false or other JSON."),
  },
};

/** The kinds that an empty list of unknown entries can get, with their labels. */
export const kindLabels = { text: t("Texts"), number: t("Numbers"), boolean: t("Yes or no"), date: t("Dates and times") };

/** @param name "text", "number", "boolean", "date" or "item" */
export function entryKind(name) {
  return kinds[name];
}

/**
 * The kind of pointers to objects of a class, which are found by caption or id.
 *
 * @param services {suggest, lookUp}, see `services.js`
 */
export function pointerKind(targetClass, id, services) {
  const options = el("datalist", { id: `${id}-suggest` });
  const search = createObjectSearch(targetClass, services, (texts) => fill(options, texts.map((words) => el("option", { value: words }))));
  async function take(typed) {
    await search.finish(typed);
    const objectId = search.idOf(typed);
    if (objectId instanceof Error) return objectId;
    const found = await search.textOf(objectId);
    if (found === null) return new Error(t("There is no object of {targetClass} with the id {objectId} here.", { targetClass, objectId }));
    return { __type: "Pointer", className: targetClass, objectId };
  }
  // Ignores a failure, because the user can type an id without suggestions.
  search.searchNow("").catch(() => {});
  return {
    control: input({ ...text, list: options.id }),
    take,
    textOf: async ({ objectId }) => (await search.textOf(objectId).catch(() => null)) ?? objectId,
    words: ({ objectId }) => objectId,
    show: pointerLabel,
    hint: t("Objects of {targetClass}. Type a part of a caption, or an id. Enter adds the object.", { targetClass }),
    search,
    options,
  };
}

/**
 * The kind of the entries of an array: {name, targetClass}; null for an empty array, and for entries of several types, which only JSON
 * shows as they are.
 */
export function kindOfEntries(entries) {
  const [first] = entries.map(kindOf);
  return entries.length > 0 && first !== null && entries.every((entry) => isEqual(kindOf(entry), first)) ? first : null;
}

function kindOf(entry) {
  // An input for one line would lose the line breaks of a text.
  if (typeof entry === "string") return /[\r\n]/.test(entry) ? null : { name: "text" };
  if (typeof entry === "number") return { name: "number" };
  if (typeof entry === "boolean") return { name: "boolean" };
  if (entry?.__type === "Date" && !Number.isNaN(Date.parse(entry.iso))) return { name: "date" };
  return isPointer(entry) ? { name: "pointer", targetClass: entry.className } : null;
}
