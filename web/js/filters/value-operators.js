// The operators on numbers, booleans, arrays and values of an unknown type.

import { equality, hasOnly, hasOperators, keyed, listOf, operator } from "./operator-forms.js";
import { contains } from "./text-operators.js";
import { t } from "../texts.js";

const isNumber = (value) => typeof value === "number";
const isBoolean = (value) => typeof value === "boolean";
/** Whether a value can be an item of a list: not null, no list, and no pattern such as `{$regex}`. */
const isItem = (value) => value !== null && value !== undefined && !Array.isArray(value) && !hasOperators(value);
const isComparable = (value) => isNumber(value) || typeof value === "string" || value?.__type === "Date";

const numberRange = operator(
  "between",
  t("is between"),
  "numberRange",
  ({ from, to }) => ({ $gte: from, $lte: to }),
  (condition) => {
    if (!hasOnly(condition, "$gte", "$lte")) return undefined;
    const { $gte: from, $lte: to } = condition;
    return isNumber(from) && isNumber(to) ? { from, to } : undefined;
  },
);

export const numberOperators = [
  equality(t("is"), "number", isNumber),
  keyed("notEqual", t("is not"), "number", "$ne", isNumber),
  keyed("less", t("is less than"), "number", "$lt", isNumber),
  keyed("lessOrEqual", t("is at most"), "number", "$lte", isNumber),
  keyed("greater", t("is more than"), "number", "$gt", isNumber),
  keyed("greaterOrEqual", t("is at least"), "number", "$gte", isNumber),
  numberRange,
  keyed("in", t("is one of"), "numbers", "$in", listOf(isNumber)),
  keyed("notIn", t("is none of"), "numbers", "$nin", listOf(isNumber)),
];

export const booleanOperators = [
  equality(t("is"), "yesNo", isBoolean),
  keyed("notEqual", t("is not"), "yesNo", "$ne", isBoolean),
];

export const arrayOperators = [
  equality(t("has the item"), "item", isItem),
  keyed("notEqual", t("does not have the item"), "item", "$ne", isItem),
  keyed("all", t("has all of"), "items", "$all", listOf(isItem)),
  keyed("in", t("has one of"), "items", "$in", listOf(isItem)),
  keyed("notIn", t("has none of"), "items", "$nin", listOf(isItem)),
  keyed("containedBy", t("has only"), "items", "$containedBy", listOf(isItem)),
  { ...contains, words: t("has a text with") },
];

/** The operators on a path inside of an object, and on a field whose type is unknown. */
export const anyOperators = [
  equality(t("is"), "item", isItem),
  keyed("notEqual", t("is not"), "item", "$ne", isItem),
  contains,
  keyed("less", t("is less than"), "item", "$lt", isComparable),
  keyed("lessOrEqual", t("is at most"), "item", "$lte", isComparable),
  keyed("greater", t("is more than"), "item", "$gt", isComparable),
  keyed("greaterOrEqual", t("is at least"), "item", "$gte", isComparable),
  keyed("in", t("is one of"), "items", "$in", listOf(isItem)),
  keyed("notIn", t("is none of"), "items", "$nin", listOf(isItem)),
];
