// The operators on texts, and on the names of files.

import { equality, hasOnly, keyed, listOf, operator } from "./operator-forms.js";
import { escaped, literalOf } from "./pattern.js";
import { t } from "../texts.js";

const isText = (value) => typeof value === "string";

/** An operator that finds a text at a place of the field, in upper or lower case. */
function literal(id, words, before, after) {
  const write = (text) => ({ $regex: `${before}${escaped(text)}${after}`, $options: "i" });
  const read = (condition) => {
    if (!hasOnly(condition, "$regex", "$options") || condition.$options !== "i" || !isText(condition.$regex)) return undefined;
    const pattern = condition.$regex;
    if (!pattern.startsWith(before) || !pattern.endsWith(after) || pattern.length < before.length + after.length) return undefined;
    const text = literalOf(pattern.slice(before.length, pattern.length - after.length));
    return text === null || text === "" ? undefined : text;
  };
  return operator(id, words, "text", write, read);
}

export const contains = literal("contains", t("contains"), "", "");

const matchesPattern = operator(
  "pattern",
  t("matches the pattern"),
  "pattern",
  ({ pattern, options }) => (options === "" ? { $regex: pattern } : { $regex: pattern, $options: options }),
  (condition) => {
    const isPattern = hasOnly(condition, "$regex") || hasOnly(condition, "$regex", "$options");
    const { $regex: pattern, $options: options = "" } = isPattern ? condition : {};
    return isText(pattern) && isText(options) ? { pattern, options } : undefined;
  },
);

const hasWords = operator(
  "words",
  t("has the words"),
  "text",
  (term) => ({ $text: { $search: { $term: term } } }),
  (condition) => {
    const search = hasOnly(condition, "$text") && hasOnly(condition.$text, "$search") ? condition.$text.$search : null;
    return hasOnly(search, "$term") && isText(search.$term) ? search.$term : undefined;
  },
);

export const fileOperators = [
  contains,
  equality(t("has the name"), "text", isText),
  literal("begins", t("begins with"), "^", ""),
  literal("ends", t("ends with"), "", "$"),
];

export const textOperators = [
  contains,
  equality(t("is"), "text", isText),
  keyed("notEqual", t("is not"), "text", "$ne", isText),
  literal("begins", t("begins with"), "^", ""),
  literal("ends", t("ends with"), "", "$"),
  matchesPattern,
  hasWords,
  keyed("in", t("is one of"), "texts", "$in", listOf(isText)),
  keyed("notIn", t("is none of"), "texts", "$nin", listOf(isText)),
  keyed("less", t("comes before"), "text", "$lt", isText),
  keyed("lessOrEqual", t("is or comes before"), "text", "$lte", isText),
  keyed("greater", t("comes after"), "text", "$gt", isText),
  keyed("greaterOrEqual", t("is or comes after"), "text", "$gte", isText),
];
