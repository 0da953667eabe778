// The formats in which the selected objects are copied and exported.

import { cellsOf, columnHead, jsonOf, lineOf } from "./table-text.js";
import { allColumns } from "../grid/columns.js";
import { ownValue } from "../records.js";
import { t } from "../texts.js";

/** A mark at the beginning of a CSV file, by which spreadsheets recognize UTF-8. */
const utf8Mark = "\ufeff";
const ownTypes = { objectId: "String", createdAt: "Date", updatedAt: "Date", ACL: "ACL" };

/**
 * The formats by name: {label, extension, type, write}. `write(objects, names, types)` returns the text. `names` are the fields to
 * write; null for all.
 */
export const formats = {
  text: {
    label: t("Text for spreadsheets"),
    write: (objects, names, types) => table(objects, namesOf(objects, names, types), "\t", (name) => name, "\n"),
  },
  json: {
    label: "JSON",
    write: (objects, names) => `[\n${objects.map((object) => jsonOf(object, names)).join(",\n")}\n]`,
  },
  csv: {
    label: "CSV",
    extension: "csv",
    type: "text/csv;charset=utf-8",
    write: (objects, names, types) =>
      utf8Mark + table(objects, namesOf(objects, names, types), ",", (name) => columnHead(name, typeOf(name, types)), "\r\n"),
  },
  ndjson: {
    label: "NDJSON",
    extension: "ndjson",
    type: "application/x-ndjson",
    write: (objects, names) => objects.map((object) => `${jsonOf(object, names)}\n`).join(""),
  },
};

function table(objects, names, separator, head, end) {
  const lines = [names.map(head), ...objects.map((object) => cellsOf(object, names))];
  return lines.map((cells) => lineOf(cells, separator) + end).join("");
}

/** The given fields, or all: those that the page knows, and those that only the objects have. */
function namesOf(objects, names, types) {
  if (names !== null) return names;
  const all = new Set(allColumns(types));
  for (const object of objects) for (const name of Object.keys(object)) if (name !== "_sync") all.add(name);
  return [...all];
}

function typeOf(name, types) {
  return Object.hasOwn(ownTypes, name) ? { type: ownTypes[name] } : ownValue(types, name);
}

/** The name of an exported file, such as `Task-2031-05-17.csv`. */
export function fileNameOf(className, { extension }, now = new Date()) {
  return `${className.replace(/\W/g, "_")}-${now.toISOString().slice(0, 10)}.${extension}`;
}
