// The columns of a table: which fields are shown, in which order, and how wide.

import { commonFields, inOrder } from "../field-types.js";
import { ownValue } from "../records.js";
import { timeWidth } from "./time-width.js";
import { t } from "../texts.js";

/** The maximum number of fields that a table shows before the user has chosen columns. */
const standardMax = 12;
export const widthMin = 56;
const widthMax = 900;
/** The widths of columns in CSS pixels by type, and by name. */
const widths = {
  Number: 104, Boolean: 80, Pointer: 184, Array: 168, Object: 208, File: 168, GeoPoint: 168, ACL: 240, String: 176,
};
const widthsByName = { objectId: 116, name: 256, title: 288 };
/** The types of the fields that each object has. */
const ownTypes = { objectId: "String", createdAt: "Date", updatedAt: "Date", ACL: "ACL" };
/** The types whose values have no meaningful order. */
const unsortable = new Set(["Array", "Object", "File", "GeoPoint", "Relation", "Polygon", "Bytes", "ACL"]);

/** All columns that a class can have: its fields, and the fields of each object. */
export function allColumns(types) {
  return [...ownFieldsOf(types), ...commonFields];
}

/** The columns that a table shows before the user has chosen any. A field that names the object comes first. */
export function standardColumns(types) {
  const fields = ownFieldsOf(types).slice(0, standardMax);
  const isNamed = fields[0] === "name" || fields[0] === "title";
  return isNamed ? [...fields, "objectId", "updatedAt"] : ["objectId", ...fields, "updatedAt"];
}

/**
 * The shown columns as [{name, type, width, isNumber, isSortable}].
 *
 * @param chosen the names that the user has chosen; null for the standard columns
 * @param widthsChosen the widths that the user has set: {name: width}
 * @param times how times are shown, see `remembered.js`
 */
export function shownColumns(types, chosen, widthsChosen = {}, times = "local") {
  const names = chosen === null || chosen.length === 0 ? standardColumns(types) : chosen;
  return names.map((name) => {
    const type = ownValue(ownTypes, name) ?? ownValue(types, name)?.type ?? "String";
    const standard = type === "Date" ? timeWidth(times) : ownValue(widthsByName, name) ?? ownValue(widths, type) ?? widths.String;
    return {
      name,
      type,
      width: boundedWidth(ownValue(widthsChosen, name) ?? standard),
      isNumber: type === "Number",
      isSortable: !unsortable.has(type),
    };
  });
}

export function boundedWidth(width) {
  return Math.min(widthMax, Math.max(widthMin, Math.round(width)));
}

/** The text "12 of 200 columns". */
export function columnsText(shown, types) {
  const all = allColumns(types).length;
  return t("{shown} of {all} columns", { shown: Math.min(shown, all), all });
}

/** A list of names with one name moved by a number of places. */
export function moved(names, name, by) {
  const from = names.indexOf(name);
  const to = from + by;
  if (from < 0 || to < 0 || to >= names.length) return names;
  return names.toSpliced(from, 1).toSpliced(to, 0, name);
}

function ownFieldsOf(types) {
  return inOrder(Object.keys(types).filter((name) => !commonFields.includes(name)));
}
