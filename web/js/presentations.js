// Which classes the page shows, and how: Holidays and Birthdays as an almanac, every other class as a table.

import { anyClass } from "./any-class.js";
import { birthdays } from "./birthdays.js";
import { holidays } from "./holidays.js";

const own = new Map([holidays, birthdays].map((presentation) => [presentation.className, presentation]));

export function presentationOf(className) {
  return own.get(className) ?? anyClass(className);
}

/** The classes to choose from: ours first, then what else the gateway holds, then one that only the address names. */
export function shownClasses({ status, className }) {
  const names = new Set(own.keys());
  for (const { name } of status?.classes ?? []) if (!name.startsWith("_")) names.add(name);
  names.add(className);
  return [...names];
}
