// The fields that the filter, the sort order or the columns of a class name, and that the class is not known to have. An address can
// name any field.

import { commonFields } from "./field-types.js";
import { ownValue } from "./records.js";
import { tableOf } from "./tables.js";
import { t } from "./texts.js";
import { excerpt, isolated } from "./values.js";

/** The maximum numbers of fields that the text names, and of characters of a name. */
const namedMax = 5;
const nameMax = 60;

/** The names of the fields in the conditions of a query. Of a path such as `address.city`, the field is the first part. */
export function fieldsIn(where) {
  return Object.entries(where ?? {}).flatMap(([key, value]) => {
    if (["$or", "$and", "$nor"].includes(key)) return Array.isArray(value) ? value.flatMap((part) => (typeof part === "object" ? fieldsIn(part) : [])) : [];
    return key.startsWith("$") ? [] : [key.split(".")[0]];
  });
}

/** Sentences about unknown fields of the shown class; empty if there are none, or if no field of the class is known. */
export function unknownFieldsText(values) {
  const { className, types, lists } = values;
  const known = types.get(className) ?? {};
  const hasTypes = Object.keys(known).some((name) => !commonFields.includes(name));
  if (!hasTypes || lists.get(className)?.phase !== "ready") return "";
  const { where, order, columns } = tableOf(values, className);
  const named = [
    [(values) => t("The filter names {names}, which is no known field of {className}.", values), fieldsIn(where)],
    [(values) => t("The list is sorted by {names}, which is no known field of {className}.", values), order === null ? [] : [order.replace(/^-/, "")]],
    [(values) => t("The columns have {names}, which is no known field of {className}.", values), columns ?? []],
  ];
  const isUnknown = (name) => !commonFields.includes(name) && ownValue(known, name) === undefined;
  return named
    .map(([textFor, names]) => [textFor, [...new Set(names)].filter(isUnknown).slice(0, namedMax)])
    .filter(([, names]) => names.length > 0)
    .map(([textFor, names]) => textFor({ className, names: names.map((name) => isolated(excerpt(name, nameMax))).join(", ") }))
    .join(" ");
}
