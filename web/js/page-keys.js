// The keys that work everywhere on the page, outside of text fields and dialogs.

import { openDialog } from "./dialog.js";
import { descriptionList } from "./description-list.js";
import { el } from "./dom.js";

/** The keys of the page and of its tables, for the help. */
const help = [
  ["/", "Search in the class"],
  ["n", "Add an object"],
  ["e", "Edit the object at the cursor"],
  ["Ctrl K", "Go to a class, a tool or an object"],
  ["?", "Show this help"],
  ["Arrows, Page Up, Page Down, Home, End", "Move the cursor in a table; with Ctrl to its edge"],
  ["Enter, F2 or a double click", "Edit the cell, or sort by the column"],
  ["Ctrl Enter in a table", "Follow the link in the cell"],
  ["Enter, Tab, Escape in a cell", "Save and go down, save and go on, cancel"],
  ["Alt N in a cell", "Set the value to null"],
  ["Ctrl Z in a table", "Undo the last change of a cell"],
  ["Space, Shift Space", "Select the row, or the rows from the last selected one"],
  ["Shift ↑, Shift ↓", "Select row after row"],
  ["Ctrl A, Escape in a table", "Select all objects, or none"],
  ["Alt ←, Alt →", "Make the column narrower or wider"],
  ["Enter or a click on another row", "Move the open pane to its object"],
  ["F6", "Go from the table to the pane, and back"],
  ["Alt Page Up, Alt Page Down", "Open the previous or the next object"],
  ["Ctrl S in a pane", "Save, and keep the pane open"],
  ["Escape in a pane", "Close the pane"],
];

/**
 * The command of a key: "search", "add", "edit", "help", "goTo", "switchPane", "previous" or "next"; null for any other key.
 *
 * @param isTyping whether the key belongs to a text field
 * @param hasSingleKeys whether keys without Ctrl are commands
 */
export function commandOf({ key, ctrlKey, metaKey, altKey }, { isTyping, hasSingleKeys }) {
  if (key === "F6") return "switchPane";
  if (altKey) return { PageUp: "previous", PageDown: "next" }[key] ?? null;
  if (ctrlKey || metaKey) return key.toLowerCase() === "k" ? "goTo" : null;
  if (isTyping || !hasSingleKeys) return null;
  return { "/": "search", n: "add", e: "edit", "?": "help" }[key] ?? null;
}

/**
 * @param commands {search, add, edit, goTo, switchPane, previous, next}: the functions of the commands. A function that does nothing
 *   may return false
 */
export function listenToKeys({ state, remember, commands }) {
  const all = { ...commands, help: () => openHelp(state, remember) };
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input, select, textarea") !== null;
    const command = commandOf(event, { isTyping, hasSingleKeys: state.values.remembered.hasSingleKeys });
    if (command === null || event.defaultPrevented || state.values.connection === "locked" || document.querySelector("dialog[open]")) return;
    // A key without an effect keeps its meaning for the browser.
    if (all[command]() !== false) event.preventDefault();
  });
}

function openHelp(state, remember) {
  const box = el("input", { type: "checkbox", on: { change: () => remember({ hasSingleKeys: box.checked }) } });
  box.checked = state.values.remembered.hasSingleKeys;
  openDialog({
    title: "Keys",
    className: "dialog-keys",
    content: el(
      "div",
      { class: "object-form" },
      el("div", { class: "form-rows" }, descriptionList(help), el("label", { class: "check-row" }, box, "Use the keys / n e and ?")),
    ),
  });
}
