// Turns field values into texts and DOM nodes, and finds the differences between two versions of an object.

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { formatTime, formatUtc, utcOf } from "./dates.js";
import { fileLabel, isOutside, ownAddress } from "./files.js";
import { isPointer, pointerLink, pointerLinks } from "./pointer-link.js";
import { record, ownValue } from "./records.js";
import { counted, t, valueNumberText } from "./texts.js";

/** The maximum number of characters of a value that the page shows. */
const shownMax = 2_000;
const ownFields = new Set(["objectId", "createdAt", "updatedAt", "_sync"]);

export const nullHint = t("The field is set to null. That differs from a field that is not set.");

/** The fields of an object, except the fields that the gateway manages. */
export function userFields(object) {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !ownFields.has(name)));
}

/** A field value as text, such as "Yes" for true. */
export function valueText(value) {
  if (value === undefined) return t("not set");
  if (value === null) return "null";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.length === 0 ? t("none") : value.map(valueText).join(", ");
  if (typeof value === "boolean") return value ? t("Yes") : t("No");
  if (typeof value === "number") return valueNumberText(value);
  if (typeof value !== "object") return String(value);
  switch (value.__type) {
    case "Date": return formatUtc(value.iso);
    case "Pointer": return `${value.className} ${value.objectId}`;
    case "File": return fileLabel(value);
    case "GeoPoint": return `${value.latitude}°, ${value.longitude}°`;
    case "Bytes": return counted(Math.floor((String(value.base64 ?? "").length * 3) / 4), "byte");
    case "Relation": return t("relation to {className}", { className: value.className });
    default: return JSON.stringify(value);
  }
}

/** The beginning of a text, with a mark if there is more. A browser needs seconds to lay out a text of a megabyte. */
export function excerpt(text, max = shownMax) {
  if (text.length <= max) return text;
  // The text is not cut inside of a surrogate pair, the two code units of one character.
  const end = /[\ud800-\udbff]/.test(text[max - 1]) ? max - 1 : max;
  return `${text.slice(0, end)} …`;
}

/** A value as a DOM node: a time with UTC beside it, a link for a file, a pointer, or a web address outside of this gateway, otherwise text. */
export function valueNode(value) {
  if (value === undefined) return el("span", { class: "value-absent", "aria-label": t("not set") }, "–");
  if (value === null) return el("span", { class: "value-absent", title: nullHint }, "null");
  if (value?.__type === "File") return fileLink(value);
  if (isPointer(value)) return pointerLink(value);
  if (Array.isArray(value) && value.length > 0 && value.every(isPointer)) return pointerLinks(value);
  if (value.__type === "Date") return el("span", { class: "value-date" }, formatTime(value.iso), utcBeside(value.iso));
  const text = excerpt(valueText(value));
  return outsideLink(value, text) ?? el("span", { class: `value-${kindOf(value)}`, dir: "auto" }, text);
}

/** The time in UTC, as it stands beside a time in the time zone of the browser; null for a calendar day. */
export function utcBeside(iso) {
  const words = utcOf(iso);
  return words && el("span", { class: "utc-beside" }, ` ${words}`);
}

/** A link to a file on this gateway or at an http or https address outside of it. For any other address, only the file's name. */
function fileLink(value) {
  const address = ownAddress(value);
  const words = fileLabel(value);
  if (address === null) return outsideLink(value.url, words) ?? el("span", { class: "value-file", dir: "auto" }, words);
  return el("a", { class: "value-file", href: address, download: words, dir: "auto" }, words);
}

function kindOf(value) {
  if (Array.isArray(value)) return "array";
  return typeof value === "object" ? (value.__type ?? "object").toLowerCase() : typeof value;
}

/** A link to an http or https address outside of this gateway; null for any other address. */
export function outsideLink(address, text) {
  if (!isOutside(address)) return null;
  return el(
    "a",
    { class: "outside-link", href: address, target: "_blank", rel: "noopener noreferrer" },
    el("span", { dir: "auto" }, text),
    icon("outside"),
    el("span", { class: "visually-hidden" }, t(" (opens in a new tab)")),
  );
}

export function isWebAddress(text) {
  if (typeof text !== "string" || !/^https?:\/\//i.test(text)) return false;
  return URL.canParse ? URL.canParse(text) : true;
}

/** The host and port of a web address, such as "example.org:8080". An invalid address stays unchanged. */
export function hostOf(address) {
  try {
    return new URL(address).host;
  } catch {
    return String(address);
  }
}

/** The body of an update: the new values of changed fields, and a Delete operation for each removed field. */
export function fieldChanges(before, after) {
  const changes = record();
  for (const [name, value] of Object.entries(after)) {
    if (value !== undefined && !isEqual(ownValue(before, name), value)) changes[name] = value;
  }
  for (const name of Object.keys(before)) {
    if (ownValue(after, name) === undefined) changes[name] = { __op: "Delete" };
  }
  return changes;
}

/** Whether two values are equal as JSON. The order of keys does not matter. */
export function isEqual(one, other) {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name]));
}

/** Whether an object contains every word of the search text, in any field. Accents and case are ignored. */
export function matches(object, search) {
  const words = plain(search).split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const text = plain(Object.values(userFields(object)).map(valueText).join(" "));
  return words.every((word) => text.includes(word));
}

function plain(text) {
  return text.normalize("NFD").replace(/\p{Mn}/gu, "").toLowerCase();
}

/** A user's text as part of a sentence. Right-to-left text is isolated, so that the words around it keep their order. */
export function isolated(text) {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(text) ? `\u2068${text}\u2069` : text;
}
