// The pane of an object whose reader may not change it. The form of an object would offer to save.

import { button } from "./buttons.js";
import { descriptionList } from "./description-list.js";
import { el, fill } from "./dom.js";
import { commonFields, inOrder } from "./field-types.js";
import { t } from "./texts.js";
import { userFields, valueNode } from "./values.js";

/** Whether the gateway says that the reader may not make a write: "update" or "delete". */
export function isDenied(object, write) {
  return object?._sync?.denied?.includes(write) === true;
}

/**
 * @param object the object, as the gateway has returned it
 * @param watch `(object, onChange)`: calls `onChange` with each newer version; returns a function that stops watching
 * @param more further nodes below the values
 * @param openFrame opens the pane
 */
export function openObjectView({ title, object, watch, more = null, openFrame }) {
  const values = el("div", { class: "object-values" });
  const show = (shown) => fill(values, descriptionList(rowsOf(shown)));
  const doneButton = button(t("Done"), () => frame.close());
  const frame = openFrame({
    title,
    className: "dialog-view",
    content: el(
      "div",
      { class: "object-form" },
      el("div", { class: "form-rows" }, el("p", { class: "form-reason" }, t("You may read this object, but not change it.")), values, more),
      el("div", { class: "dialog-actions" }, doneButton),
    ),
  });
  show(object);
  frame.onClose(watch(object, show));
  if (frame.takesFocus) doneButton.focus();
  return frame;
}

function rowsOf(object) {
  const fields = userFields(object);
  const names = inOrder(Object.keys(fields)).filter((name) => !commonFields.includes(name));
  return names.map((name) => [name, valueNode(fields[name])]);
}
