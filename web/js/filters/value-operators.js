// The operators on numbers, booleans, arrays and values of an unknown type.

import { equality, hasOnly, hasOperators, keyed, listOf, operator } from "./operator-forms.js";
import { contains } from "./text-operators.js";

const isNumber = (value) => typeof value === "number";
const isBoolean = (value) => typeof value === "boolean";
/** Whether a value can be an item of a list: not null, no list, and no pattern such as `{$regex}`. */
const isItem = (value) => value !== null && value !== undefined && !Array.isArray(value) && !hasOperators(value);
const isComparable = (value) => isNumber(value) || typeof value === "string" || value?.__type === "Date";

const numberRange = operator(
  "between",
  "is between",
  "numberRange",
  ({ from, to }) => ({ $gte: from, $lte: to }),
  (condition) => {
    if (!hasOnly(condition, "$gte", "$lte")) return undefined;
    const { $gte: from, $lte: to } = condition;
    return isNumber(from) && isNumber(to) ? { from, to } : undefined;
  },
);

export const numberOperators = [
  equality("is", "number", isNumber),
  keyed("notEqual", "is not", "number", "$ne", isNumber),
  keyed("less", "is less than", "number", "$lt", isNumber),
  keyed("lessOrEqual", "is at most", "number", "$lte", isNumber),
  keyed("greater", "is more than", "number", "$gt", isNumber),
  keyed("greaterOrEqual", "is at least", "number", "$gte", isNumber),
  numberRange,
  keyed("in", "is one of", "numbers", "$in", listOf(isNumber)),
  keyed("notIn", "is none of", "numbers", "$nin", listOf(isNumber)),
];

export const booleanOperators = [
  equality("is", "yesNo", isBoolean),
  keyed("notEqual", "is not", "yesNo", "$ne", isBoolean),
];

export const arrayOperators = [
  equality("has the item", "item", isItem),
  keyed("notEqual", "does not have the item", "item", "$ne", isItem),
  keyed("all", "has all of", "items", "$all", listOf(isItem)),
  keyed("in", "has one of", "items", "$in", listOf(isItem)),
  keyed("notIn", "has none of", "items", "$nin", listOf(isItem)),
  keyed("containedBy", "has only", "items", "$containedBy", listOf(isItem)),
  { ...contains, words: "has a text with" },
];

/** The operators on a path inside of an object, and on a field whose type is unknown. */
export const anyOperators = [
  equality("is", "item", isItem),
  keyed("notEqual", "is not", "item", "$ne", isItem),
  contains,
  keyed("less", "is less than", "item", "$lt", isComparable),
  keyed("lessOrEqual", "is at most", "item", "$lte", isComparable),
  keyed("greater", "is more than", "item", "$gt", isComparable),
  keyed("greaterOrEqual", "is at least", "item", "$gte", isComparable),
  keyed("in", "is one of", "items", "$in", listOf(isItem)),
  keyed("notIn", "is none of", "items", "$nin", listOf(isItem)),
];
