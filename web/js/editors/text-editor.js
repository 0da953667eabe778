// An editor of one control: an input, a text area or a choice.

import { el } from "../dom.js";
import { textKinds } from "./text-kinds.js";

/**
 * @param attributes id, name and the like, for the control
 * @param value the value to begin with; undefined where there is none
 * @param choices [[value, words]] of a choice whose kind has none of its own
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
  // What the control makes of the text counts as untouched, also where it writes line ends its own way.
  const untouched = control.value;
  const read = () => kind.read(control.value, isEditable ? value : undefined);
  return {
    node: control,
    control,
    hint: isEditable ? kind.hint : "This value is of another type. It can be edited as JSON.",
    isEditable,
    isChanged: () => control.value !== untouched,
    isIncomplete: () => control.validity.badInput,
    typed: () => control.value,
    retype: (text) => void (control.value = text),
    /** The value that is entered; undefined for none, an Error for what is no such value. */
    read,
    /** The same, once it can be saved. */
    save: async () => read(),
  };
}
