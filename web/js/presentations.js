// The views of the classes: an almanac for Holiday and Birthday, a table for all other classes.

import { tablePresentation } from "./class-table.js";
import { birthdays } from "../demo/birthdays.js";
import { holidays } from "../demo/holidays.js";

const almanacs = new Map([holidays, birthdays].map((presentation) => [presentation.className, presentation]));

/** The view that is shown if there is no class. */
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

/**
 * The classes that have a tab: the shown class, and all classes of the gateway except the built-in ones. The almanacs come first.
 */
export function shownClasses({ status, className }) {
  const has = (status?.classes ?? []).map(({ name }) => name).filter((name) => !name.startsWith("_"));
  const names = new Set([...almanacs.keys()].filter((name) => has.includes(name)));
  for (const name of [...has, className]) if (name !== null) names.add(name);
  return [...names];
}

/** The class of the first tab; null if there is no tab. The page shows this class if the page's address names no class. */
export function firstClass(status) {
  return shownClasses({ status, className: null })[0] ?? null;
}
