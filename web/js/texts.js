// The texts of the page in its language. The sources have each text in English, and `texts` has the translations by the English text.

import { language, languages, locale } from "./language.js";
import { ownValue } from "./records.js";

const { texts, settings } = languages[language];
const rules = new Intl.PluralRules(locale);
const lists = new Intl.ListFormat(locale, { type: "conjunction" });
/** The decimal separator of the locale. */
export const decimalSeparator = new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === "decimal").value;
const placeholder = /\{(\w+)\}/;

/**
 * A text in the page's language.
 *
 * @param text the English text. A name in braces, such as `{name}`, stands for a value.
 * @param values the values by their names
 */
export function t(text, values = {}) {
  return filled(ownValue(texts, text) ?? text, values).join("");
}

/** A text of the gateway about its settings, in the page's language; as it is if there is no translation. */
export function settingText(text) {
  return ownValue(settings, text) ?? text;
}

/** A text with nodes: the same as `t`, as a list of texts and of the values that are no texts. */
export function tNodes(text, values) {
  return filled(ownValue(texts, text) ?? text, values);
}

/**
 * A text for a number of things, in the form that the language has for this number.
 *
 * @param one the English text for one, such as "{count} change waits"
 * @param other the English text for any other number, such as "{count} changes wait"
 * @param values the values by their names; `count` is the number
 */
export function plural(one, other, values) {
  const forms = ownValue(texts, other) ?? { one, other };
  const form = forms[rules.select(values.count)] ?? forms.other;
  return filled(form, { ...values, count: numberText(values.count) }).join("");
}

/** A number with its noun, such as "1 change" or "3 changes". */
export function counted(count, one, many = `${one}s`) {
  return plural(`{count} ${one}`, `{count} ${many}`, { count });
}

/** A number as text, such as "1,234.5". */
export function numberText(value, options) {
  return value.toLocaleString(locale, options);
}

/** A number that is the value of a field as text: all its digits, with the decimal separator of the locale. */
export function valueNumberText(value, separator = decimalSeparator) {
  return String(value).replace(".", separator);
}

/** Texts as one text, such as "one, two and three". */
export function listed(items) {
  return lists.format(items);
}

/** The parts of a text with its values in place of their names. */
function filled(text, values) {
  return text.split(placeholder).map((part, at) => (at % 2 === 1 ? ownValue(values, part) ?? `{${part}}` : part)).filter((part) => part !== "");
}
