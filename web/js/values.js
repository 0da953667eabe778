// Field values as text and as nodes, and what differs between two states of an object.

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { utcWords } from "./dates.js";
import { fileWords, isOutside, ownAddress } from "./files.js";
import { named, own } from "./named.js";

const ownFields = new Set(["objectId", "createdAt", "updatedAt", "_sync"]);

/** The fields that people and programs set, without those that the gateway adds. */
export function userFields(object) {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !ownFields.has(name)));
}

/** A value in words, short enough for a line. */
export function valueWords(value) {
  if (value === undefined) return "not set";
  if (value === null) return "null";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(valueWords).join(", ");
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value !== "object") return String(value);
  switch (value.__type) {
    case "Date": return utcWords(value.iso);
    case "Pointer": return `${value.className} ${value.objectId}`;
    case "File": return fileWords(value);
    case "GeoPoint": return `${value.latitude}°, ${value.longitude}°`;
    case "Bytes": return `${Math.floor((String(value.base64 ?? "").length * 3) / 4)} bytes`;
    case "Relation": return `relation to ${value.className}`;
    default: return JSON.stringify(value);
  }
}

/** A value as a node: web addresses become links, everything else is text. */
export function valueNode(value) {
  if (value === undefined) return el("span", { class: "value-absent", "aria-label": "not set" }, "–");
  if (value === null) return el("span", { class: "value-absent" }, "null");
  if (value?.__type === "File") return fileLink(value);
  return outsideLink(value, valueWords(value)) ?? el("span", { class: `value-${kindOf(value)}`, dir: "auto" }, valueWords(value));
}

/** A link to a file: to this gateway where it has it, else to where it is. */
function fileLink(value) {
  const address = ownAddress(value);
  const words = fileWords(value);
  if (address === null) return outsideLink(value.url, words) ?? el("span", { class: "value-file", dir: "auto" }, words);
  return el("a", { class: "value-file", href: address, download: words, dir: "auto" }, words);
}

function kindOf(value) {
  if (Array.isArray(value)) return "array";
  return typeof value === "object" ? (value.__type ?? "object").toLowerCase() : typeof value;
}

/** A link out of the page, for http and https addresses of others only; null for everything else. */
export function outsideLink(address, text) {
  if (!isOutside(address)) return null;
  return el(
    "a",
    { class: "outside-link", href: address, target: "_blank", rel: "noopener noreferrer" },
    el("span", { dir: "auto" }, text),
    icon("outside"),
    el("span", { class: "visually-hidden" }, " (opens in a new tab)"),
  );
}

export function isWebAddress(text) {
  if (typeof text !== "string" || !/^https?:\/\//i.test(text)) return false;
  return URL.canParse ? URL.canParse(text) : true;
}

/** The host of a web address, for people to read. */
export function hostOf(address) {
  try {
    return new URL(address).host;
  } catch {
    return String(address);
  }
}

/** The body of an update: the fields that differ, and Delete for those that are gone. */
export function fieldChanges(before, after) {
  const changes = named();
  for (const [name, value] of Object.entries(after)) {
    if (value !== undefined && !isEqual(own(before, name), value)) changes[name] = value;
  }
  for (const name of Object.keys(before)) {
    if (own(after, name) === undefined) changes[name] = { __op: "Delete" };
  }
  return changes;
}

/** Equal as JSON, whatever the order of keys. */
export function isEqual(one, other) {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name]));
}

/** Whether every word of the search is somewhere in the object's fields, accents and case aside. */
export function matches(object, search) {
  const words = plain(search).split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const text = plain(Object.values(userFields(object)).map(valueWords).join(" "));
  return words.every((word) => text.includes(word));
}

function plain(text) {
  return text.normalize("NFD").replace(/\p{Mn}/gu, "").toLowerCase();
}

/** A text of a person within a sentence: letters that run from right to left do not turn its other words round. */
export function isolated(text) {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(text) ? `\u2068${text}\u2069` : text;
}

/** "1 change", "3 changes". */
export function counted(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
