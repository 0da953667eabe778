// How the page shows a class: view, sort order, filter, columns, and place in the list.

import { ownValue } from "./records.js";

/** The standard way to show a class. Null stands for the standard value, `at` is the number of the first visible row. */
export const standardTable = { view: null, order: null, where: null, columns: null, widths: {}, at: 0 };

/** How the user wants to see a class: the standard way, with the remembered and the present choices. */
export function tableOf({ tables, remembered }, className) {
  return { ...standardTable, ...ownValue(remembered.classes, className), ...tables.get(className) };
}
