// A form row: the label, editor, hint and error message of one field.

import { el } from "../dom.js";
import { createArrayEditor } from "./array-editor.js";
import { createDateEditor } from "./date-editor.js";
import { createFileEditor } from "./file-editor.js";
import { createGeoPointEditor } from "./geo-point-editor.js";
import { createListEditor, createObjectListEditor } from "./list-editor.js";
import { withNull } from "./null-choice.js";
import { createPointerEditor } from "./pointer-editor.js";
import { createRelationEditor } from "./relation-editor.js";
import { createTextEditor } from "./text-editor.js";
import { t } from "../texts.js";

let count = 0;

/**
 * A null is edited like an unset field, except as JSON, and except for a field with the choice of null.
 *
 * @param field {name, label, kind, required, marksOptional, hint, targetClass, options, owner, isNullable, linksObjects}: `linksObjects`
 *   tells whether pointers have links to their objects; for the kind "list" also
 *   `itemKind`, the kind of its values, and for the kind "own" `create(value, attributes, services)`, which makes its editor
 * @param before the field's value before the edit; undefined for an unset field
 * @param services {upload, fileBytesMax, suggest, lookUp, members}: the gateway functions that editors use
 */
export function fieldRow(field, before, services) {
  const { name, label, kind, required = false, marksOptional = false, hint, targetClass, options, itemKind, create, isNullable = false, linksObjects = false } = field;
  const id = `field-${++count}`;
  const problem = el("p", { class: "field-problem", id: `${id}-problem`, hidden: true });
  const attributes = {
    id,
    name,
    "aria-required": required ? "true" : null,
    "aria-describedby": `${id}-hint ${problem.id}`,
  };
  const plain = createEditor();
  const choice = isNullable && !required && plain.isEditable ? withNull(plain, label, before === null) : null;
  const editor = choice?.editor ?? plain;
  const checkAgain = () => !problem.hidden && check();
  const words = editor.isEditable ? (hint ?? editor.hint) : editor.hint;

  function createEditor() {
    const value = before === null && kind !== "json" ? undefined : before;
    if (kind === "file" || kind === "picture") {
      return createFileEditor({ label, onlyPictures: kind === "picture" }, value, attributes, services);
    }
    if (kind === "date") return createDateEditor(value, attributes);
    if (kind === "geoPoint") return createGeoPointEditor(label, value, attributes);
    if (kind === "relation") return createRelationEditor(field, attributes, services);
    if (kind === "pointer") return createPointerEditor({ targetClass, hasLink: linksObjects }, value, attributes, services);
    if (kind === "objects") return createObjectListEditor(targetClass, value, attributes, services);
    if (kind === "entries") return createArrayEditor(field, value, attributes, services);
    if (kind === "list") return createListEditor(itemKind, value, attributes);
    if (kind === "own") return create(value, attributes, services);
    return createTextEditor(kind, value, attributes, options);
  }

  /** Validates the value and shows the error message, if there is one. Returns whether the value is valid. */
  function check() {
    return showError(findError());
  }

  function showError(wrong) {
    problem.textContent = wrong ?? "";
    problem.hidden = wrong === null;
    plain.control.setAttribute("aria-invalid", String(wrong !== null));
    return wrong === null;
  }

  function findError() {
    if (!editor.isEditable || choice?.has()) return null;
    if (editor.isIncomplete()) return t("{label} is incomplete.", { label });
    const entered = editor.read();
    if (entered === undefined) return required ? t("{label} is required.", { label }) : null;
    // Accepts an invalid value that the user has not changed, because another client may have stored the value.
    return entered instanceof Error && editor.isChanged() ? entered.message : null;
  }

  function press(event) {
    if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== "KeyN") return;
    event.preventDefault();
    choice.toggle();
  }

  /** Resolves to the value to save. An error, such as a failed upload, is shown in the row and thrown again. */
  async function value() {
    try {
      return await editor.save();
    } catch (error) {
      showError(error.message);
      throw error;
    }
  }

  const optional = marksOptional && !required && el("span", { class: "label-note" }, t(" optional"));
  return {
    name,
    get control() {
      return choice?.has() ? choice.button : plain.control;
    },
    check,
    /** The place of the error in the text of the control; undefined if it is unknown. */
    errorAt: () => editor.read()?.at,
    /** Shows an error message and returns false. For null, hides the message and returns true. */
    showError,
    isChanged: editor.isChanged,
    /** Returns the content of the editor for a draft. `restoreText` restores this content. */
    typed: editor.typed,
    restoreText: editor.restoreText,
    /** Returns the entered value: undefined if the editor is empty, an Error if the value is invalid. */
    read: () => editor.read(),
    value,
    close: () => editor.close?.(),
    node: el(
      "div",
      { class: `field field-${kind}`, data: { field: name }, on: { keydown: choice ? press : () => {}, input: checkAgain, change: checkAgain } },
      el("div", { class: "label-row" }, el("label", { class: "label", for: id }, label, optional), plain.aside, choice?.button),
      editor.node,
      choice?.note,
      problem,
      el("p", { class: "hint", id: `${id}-hint`, hidden: !words }, words),
    ),
  };
}
