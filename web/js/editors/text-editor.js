// An editor that consists of one control: an input, a text area or a select. The text of a large value is loaded on request, because a
// browser needs seconds to lay out a text of a megabyte.

import { button } from "../buttons.js";
import { el } from "../dom.js";
import { numberText, t } from "../texts.js";
import { excerpt } from "../values.js";
import { textKinds } from "./text-kinds.js";

/**
 * The maximum length of a text that is shown in full at once, and the length of the beginning that is shown of a longer text.
 */
const shownMax = 20_000;
const excerptMax = 500;

/**
 * @param attributes the attributes of the control, such as id and name
 * @param value the value before the edit; undefined for an unset field
 * @param choices the options of a select, as [[value, words]]; unused if the kind has its own options
 */
export function createTextEditor(kindName, value, attributes, choices = []) {
  const kind = textKinds[kindName];
  const isEditable = value === undefined || kind.accepts(value);
  const text = value === undefined ? "" : isEditable ? kind.write(value) : JSON.stringify(value);
  const isLarge = text.length > shownMax;
  const options = (kind.options ?? choices).map(([key, words]) => el("option", { value: key }, words));
  const control = el(
    isLarge ? "textarea" : kind.control,
    {
      ...(isEditable ? kind.attributes : {}),
      ...(isLarge && { rows: 4, type: null }),
      class: `input ${kind.isCode ? "input-code" : ""}`.trim(),
      autocomplete: kind.control === "select" ? null : "off",
      disabled: !isEditable,
      readonly: isLarge,
      ...attributes,
    },
    options,
  );
  control.value = isLarge ? excerpt(text, excerptMax) : text;
  // The initial text is read from the control, because the control may have changed the line breaks.
  let untouched = control.value;
  /** Whether the control shows only the beginning of the text. */
  let isExcerpt = isLarge;
  const note = isLarge && el(
    "p",
    { class: "editor-excerpt" },
    t("{count} characters. Only the beginning is shown. ", { count: numberText(text.length) }),
    isEditable && button(t("Load the full text"), loadAll, { className: "button-small" }),
  );

  function loadAll() {
    if (!isExcerpt) return;
    isExcerpt = false;
    note.remove();
    control.readOnly = false;
    control.value = text;
    untouched = control.value;
    control.focus();
    control.setSelectionRange(0, 0);
  }

  const read = () => (isExcerpt ? value : kind.read(control.value, isEditable ? value : undefined));
  return {
    node: isLarge ? el("div", {}, control, note) : control,
    control,
    hint: isEditable ? kind.hint : t("This value has another type. Edit it as JSON."),
    isEditable,
    isChanged: () => control.value !== untouched,
    isIncomplete: () => control.validity.badInput,
    typed: () => control.value,
    restoreText(typed) {
      if (isExcerpt) loadAll();
      control.value = typed;
    },
    /** Returns the entered value; undefined if the control is empty, an Error if the text is invalid. */
    read,
    /** Resolves to the value to save. */
    save: async () => read(),
  };
}
