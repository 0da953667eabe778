// Writes objects as the text of a table, with a head row. A program that opens the text must not run a value as a formula.

import { ownValue } from "../records.js";

/** The beginnings of texts that spreadsheets read as formulas. */
const formulaStart = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/**
 * A value as the text of a cell: numbers, truth values and texts as they are, dates as ISO texts, pointers as ids, and other values
 * as JSON. A text that a spreadsheet would read as a formula gets an apostrophe before it. A number is no formula.
 */
export function cellText(value) {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = textOf(value);
  return formulaStart.test(text) ? `'${text}` : text;
}

function textOf(value) {
  if (typeof value === "string") return value;
  if (value.__type === "Date" && typeof value.iso === "string") return value.iso;
  if (value.__type === "Pointer" && typeof value.objectId === "string") return value.objectId;
  return JSON.stringify(value);
}

/** The head of a column with its type, such as `due:Date` or `project:Pointer<Project>`. */
export function columnHead(name, type) {
  const target = type?.targetClass ? `<${type.targetClass}>` : "";
  return cellText(type?.type ? `${name}:${type.type}${target}` : name);
}

/** One line of cells. A cell with a separator, a quote or a line break is quoted. */
export function lineOf(texts, separator) {
  const isSpecial = (text) => text.includes(separator) || /["\r\n]/.test(text) || text !== text.trim();
  return texts.map((text) => (isSpecial(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(separator);
}

/** The cells of an object. */
export function cellsOf(object, names) {
  return names.map((name) => cellText(ownValue(object, name)));
}

/** Objects as lines of a table without a head, as a spreadsheet copies rows. */
export function rowsText(objects, names) {
  return objects.map((object) => lineOf(cellsOf(object, names), "\t")).join("\n");
}

/** An object as Parse JSON, without the sync state that the gateway adds. */
export function jsonOf(object, names = null) {
  const { _sync, ...fields } = object;
  return JSON.stringify(names === null ? fields : Object.fromEntries(names.filter((name) => Object.hasOwn(fields, name)).map((name) => [name, fields[name]])));
}
