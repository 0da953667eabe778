// The views of the classes. Each class has a table. A class with a date also has an almanac: its objects by month.

import { almanacOf, dateField } from "./almanac.js";
import { tablePresentation } from "./class-table.js";
import { samples } from "../demo/samples.js";
import { tableOf } from "./tables.js";
import { counted, t } from "./texts.js";

/** The view that is shown if there is no class. */
const noClass = {
  className: null,
  title: "Tidegate",
  one: t("object"),
  many: t("objects"),
  counted: (count) => counted(count, "object"),
  order: "-updatedAt",
  isPaged: true,
  fields: [],
  intro: () => [],
  draw: () => {},
};

/** The names of the views with their labels. */
export const viewNames = { table: t("Table"), almanac: t("Almanac") };

/** The view of a class in which the page shows it. */
export function presentationOf(values, className) {
  if (className === null) return noClass;
  const sample = samples.get(className);
  if (viewOf(values, className) === "almanac") return sample ?? almanacOf(className, typesOf(values, className));
  const table = tablePresentation(className);
  return sample ? { ...table, title: sample.title, one: sample.one, many: sample.many, counted: sample.counted, fields: sample.fields } : table;
}

/**
 * How the objects of a view are read: the "rows" of a table, the "days" around today of an almanac, or "all" objects, which the page
 * itself sorts and searches.
 */
export function readingOf({ isPaged, isDated }) {
  if (isPaged) return "rows";
  return isDated ? "days" : "all";
}

/** The name of the view in which the page shows a class: the chosen view if the class has it, otherwise the standard view. */
export function viewOf(values, className) {
  const { view } = tableOf(values, className);
  return viewsOf(values, className).includes(view) ? view : standardView(className);
}

/** The names of the views that a class has. A class whose fields are unknown may have an almanac. */
export function viewsOf(values, className) {
  const types = typesOf(values, className);
  const isDated = samples.has(className) || Object.keys(types).length === 0 || dateField(types) !== null;
  return isDated ? ["table", "almanac"] : ["table"];
}

/** The view of a class before the user has chosen one. The sample classes of the demo have an almanac. */
export function standardView(className) {
  return samples.has(className) ? "almanac" : "table";
}

function typesOf({ types }, className) {
  return types.get(className) ?? {};
}

/** The title of a class in the sidebar and above its list. */
export function titleOf(className) {
  return samples.get(className)?.title ?? className ?? noClass.title;
}

/**
 * The classes in the sidebar: the shown class, and all classes of the gateway except the built-in ones. The sample classes come
 * first.
 */
export function shownClasses({ status, className }) {
  const has = (status?.classes ?? []).map(({ name }) => name).filter((name) => !name.startsWith("_"));
  const names = new Set([...samples.keys()].filter((name) => has.includes(name)));
  for (const name of [...has, className]) if (name !== null) names.add(name);
  return [...names];
}

/** The first class in the sidebar; null if there is none. The page shows this class if the page's address names no class. */
export function firstClass(status) {
  return shownClasses({ status, className: null })[0] ?? null;
}
