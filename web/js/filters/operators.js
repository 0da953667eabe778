// The operators of a filter, by the type of the field.

import { dateOperators } from "./date-operators.js";
import { constant, hasOnly } from "./operator-forms.js";
import { areaOperators, placeOperators } from "./place-operators.js";
import { pointerOperators, relatedOperators, relatedTo, relationOperators } from "./pointer-operators.js";
import { inOrder } from "../field-types.js";
import { ownValue } from "../records.js";
import { fileOperators, textOperators } from "./text-operators.js";
import { t } from "../texts.js";
import { anyOperators, arrayOperators, booleanOperators, numberOperators } from "./value-operators.js";

/** The operators on every field. A field that is null is set. */
const presence = [
  constant("exists", t("is set"), { $exists: true }, (condition) => hasOnly(condition, "$exists") && condition.$exists === true),
  constant("missing", t("is not set"), { $exists: false }, (condition) => hasOnly(condition, "$exists") && condition.$exists === false),
  constant("null", t("is null or not set"), null, (condition) => condition === null),
  constant("notNull", t("is set and not null"), { $ne: null }, (condition) => hasOnly(condition, "$ne") && condition.$ne === null),
];

const byType = {
  String: textOperators,
  Number: numberOperators,
  Boolean: booleanOperators,
  Date: dateOperators,
  Pointer: pointerOperators,
  Relation: relationOperators,
  Array: arrayOperators,
  GeoPoint: placeOperators,
  Polygon: areaOperators,
  File: fileOperators,
  Object: [],
  Bytes: [],
  ACL: [],
};

/** The fields that Parse adds to every class. */
const commonTypes = { objectId: { type: "String" }, createdAt: { type: "Date" }, updatedAt: { type: "Date" } };

/**
 * The type of a field: {type, targetClass}. The type of a path inside of an object, such as `address.city`, is unknown.
 *
 * @param types the known field types of the class
 */
export function fieldType(field, types) {
  return ownValue(commonTypes, field) ?? ownValue(types, field) ?? { type: undefined };
}

/** The operators on a field. The first one is the one that a new condition has. */
export function operatorsOf(field, types) {
  if (field === relatedTo) return relatedOperators;
  const { type } = fieldType(field, types);
  return [...(ownValue(byType, type) ?? anyOperators), ...presence];
}

/** All operators by id. Operators of different types with the same id write the same condition for a value. */
const all = new Map([...Object.values(byType).flat(), ...relatedOperators, ...anyOperators, ...presence].map((one) => [one.id, one]));

/** The operator of a condition, in the words for the field's type; undefined for an unknown operator. */
export function operatorOf({ field, operator }, types = {}) {
  return operatorsOf(field, types).find(({ id }) => id === operator) ?? all.get(operator);
}

/** The fields that a condition can name: the known fields except the ACL in their order in forms, and the fields that Parse adds. */
export function filterFields(types) {
  const own = Object.keys(types).filter((name) => name !== "ACL" && !Object.hasOwn(commonTypes, name));
  return [...inOrder(own), ...Object.keys(commonTypes)];
}
