// The rows of a table, built from their objects.

import { cellOf } from "./cells.js";
import { cellsInWindow } from "./column-window.js";
import { selectCell } from "./select-keys.js";
import { button } from "../buttons.js";
import { el } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../texts.js";

/** A number for each version of an object. A row is built again if its object has another number. */
const versions = new WeakMap();
let count = 0;

function versionOf(object) {
  if (!versions.has(object)) versions.set(object, ++count);
  return versions.get(object);
}

/** A text that changes when a row has to be built again. */
export function rowStamp({ object }, { layout, mark, list, span }) {
  const columns = `${layout} ${span.first} ${span.last}`;
  if (object === null) return `empty ${columns}`;
  return `${columns} ${versionOf(object)} ${mark(object)} ${list.gone?.has(object.objectId) ?? false}`;
}

/** @param item {index, object}: `object` is null while the row is being read */
export function bodyRow({ index, object }, context) {
  const { columns, side, list, nameOf, span } = context;
  const row = el("tr", { "aria-rowindex": String(index + 2) });
  if (object === null) {
    row.className = "is-empty";
    const empty = (_, at) => el(at === 0 ? "th" : "td", at === 0 ? { scope: "row" } : {}, at === 0 ? "…" : "");
    row.append(selectCell(null), ...cellsInWindow(columns, span, empty), actionsCell(columns, null));
    return row;
  }
  const { badge, reason, actions, isDeleting = false, isOpen = false } = side(object);
  const open = !isDeleting && openButton(object, context);
  row.dataset.object = object.objectId;
  row.dataset.focus = `entry ${object.objectId}`;
  row.tabIndex = -1;
  if (isOpen) row.setAttribute("aria-current", "true");
  row.classList.toggle("is-deleting", isDeleting || list.gone?.has(object.objectId) === true);
  for (const node of [badge, open, ...(actions?.children ?? [])]) if (node && node.localName === "button") node.tabIndex = -1;
  row.append(
    selectCell(object, nameOf),
    ...cellsInWindow(columns, span, (column, at) => (at === 0 ? headCell(object, column, context, { badge, reason, open }) : cell(object, column, context))),
    actionsCell(columns, actions),
  );
  return row;
}

function actionsCell(columns, actions) {
  return el("td", { class: "cell-actions", "aria-colindex": String(columns.length + 2) }, actions);
}

/** The button that opens the object of a row: always visible on a touch screen, otherwise with the pointer or the cursor on the row. */
function openButton(object, { nameOf, openObject }) {
  const control = button([el("span", { class: "cell-open-word" }, t("Open")), icon("chevron")], () => openObject(object), {
    className: "cell-open",
    focus: `open ${object.objectId}`,
  });
  control.setAttribute("aria-label", t("Open {name}", { name: nameOf(object) }));
  return control;
}

function headCell(object, column, context, { badge, reason, open }) {
  const { content, title } = cellOf(object, column, context);
  const mark = badge && el("span", { class: "cell-mark", title: reason || null }, badge);
  const words = reason && el("span", { class: "cell-reason visually-hidden", dir: "auto" }, reason);
  return el("th", { scope: "row", class: kindClass(column) }, mark, el("span", { class: "cell-text", dir: "auto", title: title || null }, content), words, open);
}

function cell(object, column, context) {
  const { content, title, isAbsent } = cellOf(object, column, context);
  const node = el("td", { class: isAbsent ? `${kindClass(column)} cell-absent` : kindClass(column), title: title || null });
  node.dir = directionOf(column);
  node.append(...[content].flat().filter(Boolean));
  return node;
}

/** The text direction of a cell. It decides the order of the parts of a date, and the side that is cut off. */
function directionOf({ name, isNumber }) {
  return isNumber || name === "objectId" ? "ltr" : "auto";
}

function kindClass({ name, type, isNumber }) {
  if (isNumber) return "cell-number";
  if (name === "objectId") return "cell-code";
  return type === "Date" ? "cell-date" : null;
}
