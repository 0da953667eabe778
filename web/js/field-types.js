// Chooses the editor of a field by the field's type. The type comes from the remote's schema if the replica knows this schema,
// otherwise from the values of objects.

import { kindOfEntries } from "./editors/entry-kinds.js";
import { record, ownValue } from "./records.js";
import { t } from "./texts.js";
import { userFields } from "./values.js";

/** The types that a new field can have, with their labels. */
export const newFieldTypes = {
  String: t("Text"),
  Number: t("Number"),
  Boolean: t("Yes or no"),
  Date: t("Date and time"),
  Array: t("List"),
  Object: t("Object"),
  File: t("File"),
  GeoPoint: t("Place"),
  Pointer: t("Pointer"),
  Polygon: t("Area"),
  Bytes: t("Bytes"),
};

const kinds = {
  String: "text",
  Number: "number",
  Boolean: "boolean",
  Date: "date",
  Array: "entries",
  Object: "object",
  Pointer: "pointer",
  File: "file",
  GeoPoint: "geoPoint",
  Polygon: "polygon",
  Bytes: "bytes",
};

/** The fields that Parse defines for every class. Forms do not show these fields. */
export const commonFields = ["objectId", "createdAt", "updatedAt", "ACL"];

/** The fields that come first in tables and forms. */
const first = ["name", "title", "date"];

/** Derives the types of fields from the values of objects: {name: {type, targetClass}}. */
export function typesOf(objects) {
  const types = record();
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

/**
 * Sorts field names into the order in which tables and forms show them: the names in `first`, then the others by name, as the gateway
 * lists the fields of a schema. The order does not depend on the objects from which the page has learned the fields.
 */
export function inOrder(names) {
  const rank = (name) => (first.includes(name) ? first.indexOf(name) : first.length);
  return [...names].sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
}

/**
 * The fields that a class's form shows: the known fields whose type has an editor, except `commonFields`.
 *
 * @param types the known types: {name: {type, targetClass, required}}
 * @param objects sample objects of the class; if one of them has a long text in a field, the field gets a multi-line editor
 */
export function formFields(types, objects) {
  return inOrder(Object.keys(types))
    .filter((name) => ownValue(kinds, types[name].type) && !commonFields.includes(name))
    .map((name) => formField(name, types[name], objects));
}

/** The relations of a class, as fields of the form of an object. */
export function relationFields(types, owner) {
  return Object.keys(types)
    .filter((name) => types[name].type === "Relation")
    .map((name) => ({ name, label: name, kind: "relation", targetClass: types[name].targetClass, owner }));
}

export function formField(name, { type, targetClass, required = false }, objects = []) {
  const values = objects.map((object) => ownValue(object, name)).filter((value) => value !== undefined && value !== null);
  const entries = type === "Array" ? kindOfEntries(values.flat(1)) : undefined;
  return { name, label: name, kind: kindOf(type, values), targetClass, required, entries };
}

function kindOf(type, values) {
  if (type === "String" && values.some((value) => /\n/.test(value) || value.length > 80)) return "longText";
  return ownValue(kinds, type);
}
