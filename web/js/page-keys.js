// The keys that work everywhere on the page, outside of text fields and dialogs.

import { openDialog } from "./dialog.js";
import { descriptionList } from "./description-list.js";
import { el } from "./dom.js";
import { t } from "./texts.js";

/** The keys of the page and of its tables, for the help. */
const help = [
  ["/", t("Search in the class")],
  ["n", t("Add an object")],
  ["e", t("Edit the object at the cursor")],
  [t("Ctrl K"), t("Go to a class, a tool or an object")],
  ["?", t("Show this help")],
  [t("Arrows, Page Up, Page Down, Home, End"), t("Move the cursor in a table; with Ctrl to its edge")],
  [t("Enter, F2 or a double click"), t("Edit the cell, or sort by the column")],
  [t("Ctrl Enter in a table"), t("Follow the link in the cell")],
  [t("Enter, Tab, Escape in a cell"), t("Save and go down, save and go on, cancel")],
  [t("Alt N in a cell"), t("Set the value to null")],
  [t("Ctrl C in a table"), t("Copy the selected rows, or the cell")],
  [t("Ctrl Z in a table"), t("Undo the last change of a cell")],
  [t("Space, Shift Space"), t("Select the row, or the rows from the last selected one")],
  [t("Shift ↑, Shift ↓"), t("Select row after row")],
  [t("Ctrl A, Escape in a table"), t("Select all objects, or none")],
  [t("Alt ←, Alt →"), t("Make the column narrower or wider")],
  [t("Enter or a click on another row"), t("Move the open pane to its object")],
  ["F6", t("Go from the table to the pane, and back")],
  [t("Alt Page Up, Alt Page Down"), t("Open the previous or the next object")],
  [t("Ctrl S in a pane"), t("Save, and keep the pane open")],
  [t("Escape in a pane"), t("Close the pane")],
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
    title: t("Keys"),
    className: "dialog-keys",
    content: el(
      "div",
      { class: "object-form" },
      el("div", { class: "form-rows" }, descriptionList(help), el("label", { class: "check-row" }, box, t("Use the keys / n e and ?"))),
    ),
  });
}
