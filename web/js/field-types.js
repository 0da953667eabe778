// Which editor a field of any class gets: from the types that the gateway knows, and from the values that objects have
// where it knows none, which is how most replicas are.

import { named, own } from "./named.js";
import { userFields } from "./values.js";

/** The types that a person may give a new field, with their names. */
export const newFieldTypes = {
  String: "Text",
  Number: "Number",
  Boolean: "Yes or no",
  Date: "Date and time",
  Array: "List",
  Object: "Object",
  File: "File",
  GeoPoint: "Place",
  Pointer: "Pointer",
};

const kinds = {
  String: "text",
  Number: "number",
  Boolean: "boolean",
  Date: "moment",
  Array: "array",
  Object: "object",
  Pointer: "pointer",
  File: "file",
  GeoPoint: "place",
};

/** The fields that every object has; nobody edits them in a form. */
export const commonFields = ["objectId", "createdAt", "updatedAt", "ACL"];

/** The names that come first wherever fields are listed. */
const first = ["name", "title", "date"];

/** The types of the fields of some objects, as far as their values tell: {name: {type, targetClass}}. */
export function typesOf(objects) {
  const types = named();
  for (const object of objects) {
    for (const [name, value] of Object.entries(userFields(object))) {
      if (value !== null && value !== undefined) types[name] ??= typeOf(value);
    }
  }
  return types;
}

function typeOf(value) {
  if (Array.isArray(value)) return { type: "Array" };
  if (typeof value !== "object") return { type: { string: "String", number: "Number", boolean: "Boolean" }[typeof value] };
  const { __type: type, className } = value;
  if (type === "Pointer" || type === "Relation") return { type, targetClass: className };
  return { type: type ?? "Object" };
}

/** The names of fields in the order in which they are shown. */
export function inOrder(names) {
  const rank = (name) => (first.includes(name) ? first.indexOf(name) : first.length);
  return [...names].sort((one, other) => rank(one) - rank(other));
}

/**
 * What a form can edit of a class.
 *
 * @param types {name: {type, targetClass, required}}
 * @param objects objects of the class: their values tell texts of several lines, and lists of texts, from others
 */
export function formFields(types, objects) {
  return inOrder(Object.keys(types))
    .filter((name) => own(kinds, types[name].type) && !commonFields.includes(name))
    .map((name) => formField(name, types[name], objects));
}

export function formField(name, { type, targetClass, required = false }, objects = []) {
  const values = objects.map((object) => own(object, name)).filter((value) => value !== undefined && value !== null);
  return { name, label: name, kind: kindOf(type, values), targetClass, required };
}

function kindOf(type, values) {
  if (type === "String" && values.some((value) => /\n/.test(value) || value.length > 80)) return "longText";
  const isText = (item) => typeof item === "string" && !item.includes("\n");
  if (type === "Array" && values.length > 0 && values.every((value) => Array.isArray(value) && value.every(isText))) return "lines";
  return own(kinds, type);
}
