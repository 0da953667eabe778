// Numbers as texts. Parse stores numbers as 64-bit floats, which keep about 17 digits. A number with more digits would be stored as
// another number.

import { decimalSeparator, t, valueNumberText } from "../texts.js";

/**
 * The number of a text that a user has typed; an Error for any other text. A comma or a point that may be a thousands separator is an
 * error, because the number would be another one.
 *
 * @param separator the decimal separator of the page's language. A point is accepted too if it can have no other meaning
 */
export function typedNumber(text, separator = decimalSeparator) {
  const typed = text.trim();
  return wrongMark(typed, separator) ?? exactNumber(typed.replace(separator, "."), separator);
}

/**
 * The number of a text with a decimal point; an Error for any other text, and for a number that Parse cannot store as it is written.
 *
 * @param separator the decimal separator in the text of an Error
 */
export function exactNumber(text, separator = ".") {
  const value = Number(text);
  const example = valueNumberText(0.5, separator);
  if (Number.isNaN(value) || /^[+-]?0[xob]/i.test(text.trim())) return new Error(t("Enter a number, like 7, {example} or 1e9.", { example }));
  if (!Number.isFinite(value)) return new Error(t("This number is too large. The largest is about {largest}.", { largest: `1${separator}8e308` }));
  if (plain(text.trim()) === plain(String(value))) return value;
  return new Error(t("This number has more digits than Parse stores. It would become {value}.", { value: valueNumberText(value, separator) }));
}

/** An Error for a text with a mark that is not its decimal separator; null for any other text. */
function wrongMark(typed, separator) {
  const marks = typed.replace(/[^.,]/g, "");
  if (marks.length > 1) return new Error(t("Enter the number without thousands separators, like {example}.", { example: valueNumberText(1234.5, separator) }));
  if (marks === "" || marks === separator) return null;
  const asDecimal = typed.replace(marks, separator);
  if (/^[+-]?[1-9]\d{0,2}[.,]\d{3}(e|$)/i.test(typed)) {
    return new Error(t("{typed} could mean {whole} or {decimal}. Enter one of these.", { typed, whole: typed.replace(marks, ""), decimal: asDecimal }));
  }
  const isPoint = marks === "." || Number.isNaN(Number(asDecimal));
  return isPoint ? null : new Error(t("The decimal separator is a point, as in {example}.", { example: asDecimal }));
}

/** The digits and the exponent of a number, written in one way for equal numbers. */
function plain(text) {
  const [, sign, whole, fraction = "", exponent = "0"] = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text);
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const short = digits.replace(/0+$/, "");
  if (short === "") return "0";
  return `${sign === "-" ? "-" : ""}${short}e${Number(exponent) - fraction.length + digits.length - short.length}`;
}
