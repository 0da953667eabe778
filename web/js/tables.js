// How the page shows a class: sort order, filter, view, columns, and place in the list.

import { presentationOf } from "./presentations.js";
import { ownValue } from "./records.js";

/** The standard way to show a class. `columns` is null for the standard columns, `at` is the first visible row. */
export function standardTable(className) {
  return { order: presentationOf(className).order, where: null, view: null, columns: null, at: 0 };
}

/** How the user wants to see a class: the standard way, with the remembered and the present choices. */
export function tableOf({ tables, remembered }, className) {
  return { ...standardTable(className), ...ownValue(remembered.classes, className), ...tables.get(className) };
}
