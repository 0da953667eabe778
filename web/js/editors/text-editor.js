// An editor with a single control: an input, a text area or a select.

import { el } from "../dom.js";
import { textKinds } from "./text-kinds.js";

/**
 * @param attributes attributes of the control, such as id and name
 * @param value the initial value; undefined for an unset field
 * @param choices the options [[value, words]] of a select, unless its kind defines them
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
  // The control may normalise line ends, so its own text is the reference for changes.
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
    /** The entered value; undefined if empty, an Error if invalid. */
    read,
    /** Resolves to the value to save. */
    save: async () => read(),
  };
}
