// A dialog that shows an object whose reader may not change it. The form of an object would offer to save.

import { button } from "./buttons.js";
import { formatUtc } from "./dates.js";
import { descriptionList } from "./description-list.js";
import { openDialog } from "./dialog.js";
import { el, fill } from "./dom.js";
import { inOrder } from "./field-types.js";
import { userFields, valueNode } from "./values.js";

/** Whether the gateway says that the reader may not make a write: "update" or "delete". */
export function isDenied(object, write) {
  return object?._sync?.denied?.includes(write) === true;
}

/**
 * @param object the object, as the gateway has returned it
 * @param watch `(object, onChange)`: calls `onChange` with each newer version; returns a function that stops watching
 */
export function openObjectView({ title, object, watch }) {
  const values = el("div", { class: "form-rows" });
  const show = (shown) => fill(values, note(), descriptionList(rowsOf(shown)));
  const doneButton = button("Done", () => frame.close());
  const frame = openDialog({
    title,
    className: "dialog-view",
    content: el("div", { class: "object-form" }, values, el("div", { class: "dialog-actions" }, doneButton)),
  });
  show(object);
  frame.dialog.addEventListener("close", watch(object, show));
  doneButton.focus();
  return frame;
}

function note() {
  return el("p", { class: "form-reason" }, "You may read this object, but not change it.");
}

function rowsOf(object) {
  const fields = userFields(object);
  const rows = inOrder(Object.keys(fields)).map((name) => [name, valueNode(fields[name])]);
  return [...rows, ["objectId", object.objectId], ["createdAt", formatUtc(object.createdAt)], ["updatedAt", formatUtc(object.updatedAt)]];
}
