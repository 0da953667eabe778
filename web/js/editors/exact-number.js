// Numbers as texts. Parse stores numbers as 64-bit floats, which keep about 17 digits. A number with more digits would be stored as
// another number.

import { t } from "../texts.js";

/** The number of a text; an Error for any other text, and for a number that Parse cannot store as it is written. */
export function exactNumber(text) {
  const value = Number(text);
  if (Number.isNaN(value) || /^[+-]?0[xob]/i.test(text.trim())) return new Error(t("Enter a number, like 7, 0.5 or 1e9."));
  if (!Number.isFinite(value)) return new Error(t("This number is too large. The largest is about 1.8e308."));
  const isExact = plain(text.trim()) === plain(String(value));
  return isExact ? value : new Error(t("This number has more digits than Parse stores. It would become {value}.", { value }));
}

/** The digits and the exponent of a number, written in one way for equal numbers. */
function plain(text) {
  const [, sign, whole, fraction = "", exponent = "0"] = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text);
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const short = digits.replace(/0+$/, "");
  if (short === "") return "0";
  return `${sign === "-" ? "-" : ""}${short}e${Number(exponent) - fraction.length + digits.length - short.length}`;
}
