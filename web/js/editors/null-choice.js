// The choice of null for a field: a button beside the label of the field. While null is chosen, a text field is empty, and typing into it
// ends the choice. Any other editor is hidden.

import { visuallyHidden } from "../buttons.js";
import { el } from "../dom.js";
import { t } from "../texts.js";
import { nullHint } from "../values.js";

/**
 * @param label the label of the field
 * @param isNull whether the value before the edit is null
 * @returns {editor, button, note, has, toggle}: the editor with the choice of null; the button; the note that explains null;
 *   and whether null is chosen. Alt with N toggles the choice
 */
export function withNull(editor, label, isNull) {
  let has = isNull;
  const { control } = editor;
  const isTextField = editor.node === control && !control.readOnly && control.matches("textarea, [type=text], [type=number]");
  const placeholder = control.getAttribute("placeholder") ?? "";
  /** The text of the field before null was chosen. */
  let text = "";
  if (isTextField) control.addEventListener("input", () => has && ((has = false), draw()));
  const sign = el("p", { class: "value-absent field-null" }, "null");
  const note = el("div", {}, sign, el("p", { class: "hint" }, nullHint));
  const button = el(
    "button",
    { class: "null-choice", type: "button", title: t("Sets the field to null (Alt N), which differs from a field that is not set"), on: { click: () => toggle(!has) } },
    "null",
    visuallyHidden(t(" for {label}", { label })),
  );
  draw();

  function draw() {
    button.setAttribute("aria-pressed", String(has));
    note.hidden = !has;
    sign.hidden = isTextField;
    editor.node.hidden = has && !isTextField;
    if (isTextField) control.setAttribute("placeholder", has ? "null" : placeholder);
  }

  /** Chooses null, or a value again. The form learns of the change by an event. */
  function toggle(next) {
    has = next;
    if (isTextField && has) text = control.value;
    if (isTextField) control.value = has ? "" : text;
    draw();
    button.dispatchEvent(new Event("change", { bubbles: true }));
    if (has) button.focus();
    else editor.control.focus();
  }

  return {
    button,
    note,
    has: () => has,
    toggle: () => toggle(!has),
    editor: {
      ...editor,
      isChanged: () => has !== isNull || (!has && editor.isChanged()),
      isIncomplete: () => !has && editor.isIncomplete(),
      read: () => (has ? null : editor.read()),
      save: async () => (has ? null : editor.save()),
      typed: () => (has ? { isNull: true } : editor.typed()),
      restoreText(typed) {
        has = typed?.isNull === true;
        if (!has) editor.restoreText(typed);
        else if (isTextField) control.value = "";
        draw();
      },
    },
  };
}
