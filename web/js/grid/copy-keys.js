// Copying by Ctrl C in a table, as text that spreadsheets read: the selected rows, or without a selection the cell of the cursor.

import { cellText } from "../bulk/table-text.js";
import { ownValue } from "../records.js";

/** Whether a key copies. A text that the user has selected with the pointer is copied by the browser. */
export function isCopyKey({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  return key.toLowerCase() === "c" && (ctrlKey || metaKey) && !altKey && !shiftKey && window.getSelection().isCollapsed;
}

/** The text of a cell; null for a cell without a value of its own, such as that of the buttons. */
export function copiedCell(object, column) {
  return object === null || column === undefined ? null : cellText(ownValue(object, column.name));
}
