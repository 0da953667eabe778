// An editor that consists of one control: an input, a text area or a select.

import { el } from "../dom.js";
import { textKinds } from "./text-kinds.js";

/**
 * @param attributes the attributes of the control, such as id and name
 * @param value the value before the edit; undefined for an unset field
 * @param choices the options of a select, as [[value, words]]; unused if the kind has its own options
 */
export function createTextEditor(kindName, value, attributes, choices = []) {
  const kind = textKinds[kindName];
  const isEditable = value === undefined || kind.accepts(value);
  const options = (kind.options ?? choices).map(([key, words]) => el("option", { value: key }, words));
  const control = el(
    kind.control,
    {
      ...(isEditable ? kind.attributes : {}),
      class: `input ${kind.isCode ? "input-code" : ""}`.trim(),
      autocomplete: kind.control === "select" ? null : "off",
      disabled: !isEditable,
      ...attributes,
    },
    options,
  );
  control.value = value === undefined ? "" : isEditable ? kind.write(value) : JSON.stringify(value);
  // The initial text is read from the control, because the control may have changed the line breaks.
  const untouched = control.value;
  const read = () => kind.read(control.value, isEditable ? value : undefined);
  return {
    node: control,
    control,
    hint: isEditable ? kind.hint : "This value has another type. Edit it as JSON.",
    isEditable,
    isChanged: () => control.value !== untouched,
    isIncomplete: () => control.validity.badInput,
    typed: () => control.value,
    restoreText: (text) => void (control.value = text),
    /** Returns the entered value; undefined if the control is empty, an Error if the text is invalid. */
    read,
    /** Resolves to the value to save. */
    save: async () => read(),
  };
}
