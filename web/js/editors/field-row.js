// One labelled editor, with its hint and its problem.

import { el } from "../dom.js";
import { createFileEditor } from "./file-editor.js";
import { createPointerEditor } from "./pointer-editor.js";
import { createTextEditor } from "./text-editor.js";

let count = 0;

/**
 * @param field {name, label, kind, required, marksOptional, hint, targetClass, options}
 * @param before the value to begin with; undefined for none
 * @param services {upload, offers}: what editors need of the gateway
 */
export function fieldRow(field, before, services) {
  const { name, label, kind, required = false, marksOptional = false, hint, targetClass, options } = field;
  const id = `field-${++count}`;
  const problem = el("p", { class: "field-problem", id: `${id}-problem`, hidden: true });
  const attributes = {
    id,
    name,
    "aria-required": required ? "true" : null,
    "aria-describedby": `${id}-hint ${problem.id}`,
  };
  const editor = createEditor();
  const { control } = editor;
  control.addEventListener(control.type === "file" ? "change" : "input", () => !problem.hidden && check());
  const words = editor.isEditable ? (hint ?? editor.hint) : editor.hint;

  function createEditor() {
    if (kind === "file" || kind === "picture") {
      return createFileEditor({ label, onlyPictures: kind === "picture" }, before, attributes, services);
    }
    if (kind === "pointer") return createPointerEditor(targetClass, before, attributes, services.offers);
    return createTextEditor(kind, before, attributes, options);
  }

  /** Says what is wrong, if something is. Returns whether all is well. */
  function check() {
    return tell(wrongWords());
  }

  function tell(wrong) {
    problem.textContent = wrong ?? "";
    problem.hidden = wrong === null;
    control.setAttribute("aria-invalid", String(wrong !== null));
    return wrong === null;
  }

  function wrongWords() {
    if (!editor.isEditable) return null;
    if (editor.isIncomplete()) return `${label} is not complete.`;
    const entered = editor.read();
    if (entered === undefined) return required ? `${label} is needed.` : null;
    // A value that was here before may break a rule of this form; only what is typed now is held to it.
    return entered instanceof Error && editor.isChanged() ? entered.message : null;
  }

  /** What was entered, ready to be saved. What goes wrong on the way there is told here as well. */
  async function value() {
    try {
      return await editor.save();
    } catch (error) {
      tell(error.message);
      throw error;
    }
  }

  const optional = marksOptional && !required && el("span", { class: "label-note" }, " optional");
  return {
    name,
    control,
    check,
    /** Says what is wrong besides. */
    refuse: tell,
    isChanged: editor.isChanged,
    /** The content of the editor, to be kept; `retype` brings it back. */
    typed: editor.typed,
    retype: editor.retype,
    /** The entered value; undefined for none, an Error for an invalid one. */
    read: () => editor.read(),
    value,
    close: () => editor.close?.(),
    node: el(
      "div",
      { class: `field field-${kind}` },
      el("label", { class: "label", for: id }, label, optional),
      editor.node,
      problem,
      el("p", { class: "hint", id: `${id}-hint`, hidden: !words }, words),
    ),
  };
}
