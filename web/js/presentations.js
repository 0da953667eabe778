// Which classes the page shows, and how: Holidays and Birthdays as an almanac, every other class as a table.

import { anyClass } from "./any-class.js";
import { birthdays } from "./birthdays.js";
import { holidays } from "./holidays.js";

const almanacs = new Map([holidays, birthdays].map((presentation) => [presentation.className, presentation]));

/** Shown while there is no class. */
const noClass = {
  className: null,
  title: "Tidegate",
  one: "object",
  order: "-updatedAt",
  isPaged: true,
  fields: [],
  lede: () => [],
  draw: () => {},
};

export function presentationOf(className) {
  if (className === null) return noClass;
  return almanacs.get(className) ?? anyClass(className);
}

/** The classes to choose from: those that the gateway has, almanacs first, then one that only the address names. */
export function shownClasses({ status, className }) {
  const has = (status?.classes ?? []).map(({ name }) => name).filter((name) => !name.startsWith("_"));
  const names = new Set([...almanacs.keys()].filter((name) => has.includes(name)));
  for (const name of [...has, className]) if (name !== null) names.add(name);
  return [...names];
}

/** The class that is shown where the address names none; null where there is none. */
export function firstClass(status) {
  return shownClasses({ status, className: null })[0] ?? null;
}
