// The selection of rows by keys, clicks and check boxes.

import { visuallyHidden } from "../buttons.js";
import { el } from "../dom.js";
import { t } from "../texts.js";

/** The command of a key for the selection: "toggle", "range", "all" or "clear"; null for any other key. */
export function selectionCommand({ key, shiftKey = false, ctrlKey = false, metaKey = false, altKey = false }) {
  if (altKey) return null;
  if (key === " ") return shiftKey ? "range" : "toggle";
  if (key.toLowerCase() === "a" && (ctrlKey || metaKey) && !shiftKey) return "all";
  return key === "Escape" ? "clear" : null;
}

/** Carries out the command of a key at a row. Returns whether the key is one of the selection. */
export function pressSelection(event, row, { selecting }) {
  const command = selectionCommand(event);
  const isHead = row < 0;
  const run = {
    toggle: () => (isHead ? selecting.toggleAll() : selecting.toggle(row)),
    range: () => !isHead && selecting.extendTo(row),
    all: () => selecting.selectAll(),
    clear: () => selecting.clear(),
  }[command];
  if (run === undefined) return false;
  event.preventDefault();
  run();
  return true;
}

/** Carries out a click on a row: on its check box, or anywhere with Shift, Ctrl or Cmd. Returns whether it concerns the selection. */
export function clickSelection(event, row, { selecting }) {
  const isBox = event.target.closest(".cell-select") !== null;
  if (!isBox && event.target.closest("a, button, input, select")) return false;
  if (row < 0) {
    if (isBox) selecting.toggleAll();
    return isBox;
  }
  if (event.shiftKey) selecting.extendTo(row);
  else if (isBox || event.ctrlKey || event.metaKey) selecting.toggle(row);
  else return false;
  return true;
}

/** The cell with the check box of a row. The box is no stop of the Tab key: Space selects the row of the cursor. */
export function selectCell(object, nameOf) {
  const label = object === null ? null : t("Select {name}", { name: nameOf(object) });
  return el("td", { class: "cell-select", "aria-colindex": "1" }, label && box(label));
}

export function selectAllCell() {
  return el("th", { scope: "col", class: "cell-select", "aria-colindex": "1" }, visuallyHidden(t("Selected")), box(t("Select all")));
}

function box(label) {
  return el("input", { type: "checkbox", tabindex: "-1", "aria-label": label });
}

/** Shows whether a row is selected. */
export function drawSelected(row, { object }, { selecting }) {
  const isSelected = object !== null && selecting.isSelected(object.objectId);
  row.setAttribute("aria-selected", String(isSelected));
  row.classList.toggle("is-selected", isSelected);
  const input = row.querySelector(".cell-select input");
  if (input) input.checked = isSelected;
}

/** Shows in the head whether all, some or no objects are selected. */
export function drawAllSelected(head, { selectedCount, list }) {
  const input = head.querySelector(".cell-select input");
  input.checked = selectedCount > 0 && selectedCount >= list.total;
  input.indeterminate = selectedCount > 0 && selectedCount < list.total;
}
