// The views of the classes: an almanac for Holiday and Birthday, a table for every other class.

import { tablePresentation } from "./class-table.js";
import { birthdays } from "./birthdays.js";
import { holidays } from "./holidays.js";

const almanacs = new Map([holidays, birthdays].map((presentation) => [presentation.className, presentation]));

/** The view when there is no class. */
const noClass = {
  className: null,
  title: "Tidegate",
  one: "object",
  order: "-updatedAt",
  isPaged: true,
  fields: [],
  intro: () => [],
  draw: () => {},
};

export function presentationOf(className) {
  if (className === null) return noClass;
  return almanacs.get(className) ?? tablePresentation(className);
}

/** The classes of the tabs: the gateway's classes, almanacs first, and the class in the page's address. */
export function shownClasses({ status, className }) {
  const has = (status?.classes ?? []).map(({ name }) => name).filter((name) => !name.startsWith("_"));
  const names = new Set([...almanacs.keys()].filter((name) => has.includes(name)));
  for (const name of [...has, className]) if (name !== null) names.add(name);
  return [...names];
}

/** The class to show if the address names none. Null if there are no classes. */
export function firstClass(status) {
  return shownClasses({ status, className: null })[0] ?? null;
}
