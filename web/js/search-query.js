// Turns a search text into a query for the gateway. An object matches if each word of the text occurs in one of its fields.

import { containing } from "./filters/pattern.js";
import { dayNumber, onDays } from "./filters/periods.js";
import { decimalSeparator, t } from "./texts.js";

/** The words for booleans, in English and in the language of the page. */
const booleans = new Map([["yes", true], ["no", false], [t("Yes").toLowerCase(), true], [t("No").toLowerCase(), false]]);

/**
 * @param types the field types of the class: {name: {type}}
 * @param captions the pointers that are searched by the caption of their objects: {field: {className, caption}}
 * @param paths the paths of texts inside of objects
 * @param isUtc whether tables show times in UTC, so that the day of a time is its UTC day
 * @returns the query conditions; null for an empty search text
 */
export function searchQuery(search, types, { captions = {}, paths = [], isUtc = false } = {}) {
  const words = search.split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  return { $and: words.map((word) => ({ $or: [...places(word, types, isUtc), ...linkedPlaces(word, captions, paths)] })) };
}

/**
 * The conditions for one search word. An object matches the word if the object meets at least one condition. The word can be a
 * part of a text or list item. It can also be a number, a date, a boolean (yes or no) or an id.
 */
function places(word, types, isUtc) {
  const pattern = containing(word);
  const number = word.replace(decimalSeparator, ".");
  const found = [{ objectId: word }];
  for (const [name, { type, targetClass }] of Object.entries(types)) {
    if (name === "objectId") continue;
    if (type === "String" || type === "Array") found.push({ [name]: pattern });
    if (type === "Number" && String(Number(number)) === number) found.push({ [name]: Number(number) });
    if (type === "Boolean" && booleans.has(word.toLowerCase())) found.push({ [name]: booleans.get(word.toLowerCase()) });
    if (type === "Date" && daysOf(word) !== null) found.push(onDays(name, daysOf(word), isUtc));
    if (type === "Pointer" && /^[A-Za-z0-9]{10}$/.test(word)) {
      found.push({ [name]: { __type: "Pointer", className: targetClass, objectId: word } });
    }
  }
  return found;
}

/** The conditions that a word occurs in the caption of an object to which a field points, or in a text inside of an object. */
function linkedPlaces(word, captions, paths) {
  const pattern = containing(word);
  return [
    ...Object.entries(captions).map(([name, { className, caption }]) => ({ [name]: { $inQuery: { className, where: { [caption]: pattern } } } })),
    ...paths.map((path) => ({ [path]: pattern })),
  ];
}

/** The first day of a period such as 2027, 2027-05 or 2027-05-17 and the day after its last one; null for any other word. */
function daysOf(word) {
  const [, year, month, day] = (/^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(word) ?? []).map((part) => part && Number(part));
  if (year === undefined) return null;
  if (month === undefined) return [dayNumber(year, 0), dayNumber(year + 1, 0)];
  if (day === undefined) return [dayNumber(year, month - 1), dayNumber(year, month)];
  const first = dayNumber(year, month - 1) + day - 1;
  return [first, first + 1];
}
