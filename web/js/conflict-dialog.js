// The dialog that resolves a conflict field by field. The user chooses one side's value or types another value.

import { conflictText } from "./conflict-text.js";
import { differingFields } from "./conflict-view.js";
import { el } from "./dom.js";
import { fieldRow } from "./editors/field-row.js";
import { openForm } from "./form.js";
import { button } from "./buttons.js";
import { record, ownValue } from "./records.js";
import { t } from "./texts.js";
import { isEqual, valueNode } from "./values.js";

/**
 * @param fields the editable fields of the class: {name, label, kind}
 * @param services the gateway functions that editors use
 * @param draft stores the user's choices and texts until they are saved
 * @param save gets the side to keep, and an object with the values that differ from this side; undefined if no value differs
 * @returns the frame of the dialog
 */
export function openConflictDialog({ title, conflict, fields, services, draft, save }) {
  const { byField, title: kind } = conflictText(conflict);
  const names = differingFields(conflict);
  const choices = names.map((name) => {
    const field = fields.find((known) => known.name === name) ?? { name, label: name, kind: "json" };
    return fieldChoice({ ...field, required: false }, conflict, byField, services);
  });
  const all = (side, label) =>
    button(t("All: {label}", { label }), () => choices.forEach((choice) => choice.choose(side)), { className: "button-small" });
  return openForm({
    title,
    intro: el(
      "div",
      { class: "choice-intro" },
      el("p", {}, t("{kind}. Choose a value for each field.", { kind })),
      names.length > 1 && el("p", { class: "choice-all" }, byField.sides.map(([label, side]) => all(side, label))),
    ),
    rows: choices,
    body: choices.map((choice) => choice.node),
    saveLabel: t("Resolve"),
    draft,
    className: "dialog-conflict",
    async submit() {
      const object = record();
      for (const choice of choices) {
        const value = await choice.value();
        if (!isEqual(value, choice.defaultValue)) object[choice.name] = value ?? { __op: "Delete" };
      }
      await save(byField.keep, Object.keys(object).length > 0 ? object : undefined);
    },
  });
}

/** The choice for one field: the value of each side, and an editor for another value. */
function fieldChoice(field, conflict, { keep, sides }, services) {
  const { name, label } = field;
  const group = `choice-${name}`;
  const defaultValue = ownValue(conflict[keep], name);
  const editor = fieldRow({ ...field, label: t("Another value of {label}", { label }) }, defaultValue, services);
  editor.node.hidden = true;
  const options = [...sides, [t("Another value"), "other"]].map(([words, side]) => option(words, side));
  const [first] = options.filter(({ side }) => side === keep);
  first.input.checked = true;
  const chosen = () => options.find(({ input }) => input.checked).side;

  function option(words, side) {
    const isOther = side === "other";
    const input = el("input", { type: "radio", name: group, value: side, on: { change: showEditor } });
    const value = isOther ? el("span", { class: "value-absent" }, t("Type it below")) : valueNode(ownValue(conflict[side], name));
    const node = el(
      "label",
      { class: "choice" },
      input,
      el("span", { class: "choice-side" }, words),
      el("span", { class: "choice-value" }, value),
    );
    return { side, input, node };
  }

  function showEditor() {
    editor.node.hidden = chosen() !== "other";
    if (!editor.node.hidden) editor.control.focus();
  }

  return {
    name,
    defaultValue,
    control: first.input,
    choose(side) {
      options.find((option) => option.side === side).input.checked = true;
      showEditor();
    },
    check: () => chosen() !== "other" || editor.check(),
    isChanged: () => chosen() !== keep || editor.isChanged(),
    value: async () => (chosen() === "other" ? editor.value() : ownValue(conflict[chosen()], name)),
    typed: () => ({ side: chosen(), other: editor.isChanged() ? editor.typed() : null }),
    restoreText({ side, other }) {
      if (other !== null) editor.restoreText(other);
      const option = options.find((known) => known.side === side);
      if (option) option.input.checked = true;
      editor.node.hidden = chosen() !== "other";
    },
    close: editor.close,
    node: el(
      "fieldset",
      { class: "choices" },
      el("legend", { class: "choices-name" }, label),
      el("div", { class: "choices-row" }, options.map(({ node }) => node)),
      editor.node,
    ),
  };
}
