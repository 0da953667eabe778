// The contents of a table's cells: one function for each type of value. A cell is one line.

import { aclText } from "../acl-text.js";
import { formatTime, formatUtc } from "../dates.js";
import { el } from "../dom.js";
import { filePicture } from "../files.js";
import { isFetched } from "../live-form.js";
import { isPointer } from "../pointer-link.js";
import { ownValue } from "../records.js";
import { t } from "../texts.js";
import { excerpt, isWebAddress, nullHint, utcBeside, valueNode, valueText } from "../values.js";

/** The maximum numbers of characters of a value in a cell, and in its tooltip. */
const shownMax = 160;
const titleMax = 400;
/** A longer text or a text with line breaks is not edited in its cell, but in the form of the object. */
const inPlaceMax = 2_000;

/**
 * Builds the content of a cell as {content, title}. `content` is a text or a node.
 *
 * @param context {times}: "local", "both" or "utc", see `remembered.js`
 */
const cells = {
  String: (value) => ({
    content: isWebAddress(value) ? inCell(valueNode(value)) : excerpt(value, shownMax),
    title: value.length > 20 && excerpt(value, titleMax),
  }),
  Number: (value) => ({ content: valueText(value) }),
  Boolean: (value) => ({ content: value ? t("Yes") : t("No") }),
  Date: ({ iso }, { times }) => ({
    content: times === "utc" ? formatUtc(iso) : [formatTime(iso), times === "both" && utcBeside(iso)],
    title: times === "utc" ? formatTime(iso) : formatUtc(iso),
  }),
  Pointer: (value) => ({ content: inCell(valueNode(value)) }),
  Array: (value) => (value.length > 0 && value.every(isPointer) ? { content: inCell(valueNode(value)) } : other(value)),
  File: (value) => ({ content: [filePicture(value, { className: "cell-picture", alt: "" }), inCell(valueNode(value))], title: valueText(value) }),
  ACL: (value) => ({ content: aclText(value), title: aclText(value) }),
  Object: (value) => ({ content: el("span", { class: "cell-code" }, excerpt(valueText(value), shownMax)), title: excerpt(valueText(value), titleMax) }),
};

/** A value without a function of its own: its text. */
const other = (value) => ({ content: excerpt(valueText(value), shownMax), title: excerpt(valueText(value), titleMax) });

/** The content of an object's cell: {content, title, isAbsent}. */
export function cellOf(object, { name, type }, context) {
  const value = valueOf(object, name);
  if (!isFetched(object, name)) return { content: t("not fetched"), isAbsent: true };
  if (name === "ACL") return cells.ACL(value);
  if (value === undefined) return { content: el("span", { "aria-label": t("not set") }, "–"), isAbsent: true };
  if (value === null) return { content: "null", title: nullHint, isAbsent: true };
  const kind = type === "ACL" ? "Object" : kindOf(value);
  return (ownValue(cells, kind) ?? other)(value, context);
}

/** The value of a cell. The times of an object are texts in its JSON; a cell has them as dates. */
export function valueOf(object, name) {
  const value = ownValue(object, name);
  const isTime = (name === "createdAt" || name === "updatedAt") && typeof value === "string";
  return isTime ? { __type: "Date", iso: value } : value;
}

/** The kind of the editor for a cell; null if the cell is edited in the form of the object. */
export function editorKind(value, type) {
  const kinds = { String: "text", Number: "number", Boolean: "boolean", Date: "moment" };
  const kind = ownValue(kinds, type) ?? null;
  if (value === undefined || value === null || kind === null) return kind;
  if (kindOf(value) !== type) return null;
  if (kind !== "text") return kind;
  return value.length > inPlaceMax || value.includes("\n") ? null : kind;
}

function kindOf(value) {
  if (Array.isArray(value)) return "Array";
  if (typeof value === "object") return value.__type ?? "Object";
  return { string: "String", number: "Number", boolean: "Boolean" }[typeof value];
}

/** Takes links out of the order of the Tab key, because the table is one stop of this key. */
function inCell(node) {
  for (const part of [node, ...node.querySelectorAll("a")]) if (part.localName === "a") part.tabIndex = -1;
  return node;
}
