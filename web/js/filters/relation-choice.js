// The editor of the relation that an object is a member of: the relation, and the object that has it.

import { createPointerEditor } from "../editors/pointer-editor.js";
import { el, fill } from "../dom.js";
import { t } from "../texts.js";

/**
 * @param className the class of the members
 * @param value {object, key} before the edit: the pointer to the object that has the relation, and the field; undefined for none
 * @param services {relationsTo, suggest, lookUp}. `relationsTo(className)` resolves to the relations whose members are of a class:
 *   [{className, field}]
 */
export function createRelationChoice(className, value, attributes, services) {
  const control = el("select", { class: "input", on: { change: () => showObject() }, ...attributes });
  const place = el("div", { class: "field" });
  const none = el("p", { class: "hint", hidden: true }, t("No known class has a relation to {className}.", { className }));
  const node = el("div", { class: "form-more-rows" }, control, none, place);
  let relations = value === undefined ? [] : [{ className: value.object.className, field: value.key }];
  let editor = null;

  const chosen = () => relations[Number(control.value)];
  const nameOf = (relation) => t("{field} of {className}", relation);

  function drawChoice() {
    const before = control.value;
    fill(control, relations.map((relation, at) => el("option", { value: String(at) }, nameOf(relation))));
    control.value = before === "" ? "0" : before;
    control.hidden = relations.length === 0;
    if (editor === null && relations.length > 0) showObject(value?.object);
  }

  /** Shows the search for the object that has the chosen relation. */
  function showObject(pointer) {
    editor?.close();
    const id = `${attributes.id}-object`;
    editor = createPointerEditor({ targetClass: chosen().className }, pointer, { id, "aria-required": "true", "aria-describedby": attributes["aria-describedby"] }, services);
    editor.control.addEventListener("input", () => control.dispatchEvent(new Event("input")));
    fill(place, el("label", { class: "label", for: id }, t("Object of {className}", chosen())), editor.node, el("p", { class: "hint" }, editor.hint));
  }

  async function readRelations() {
    const found = await services.relationsTo(className);
    const isOther = (one) => !relations.some((other) => other.className === one.className && other.field === one.field);
    relations = [...relations, ...found.filter(isOther)];
    none.hidden = relations.length > 0;
    drawChoice();
  }

  function read() {
    if (editor === null) return undefined;
    const object = editor.read();
    if (object instanceof Error) return object;
    return object === undefined ? new Error(t("Choose the object of {className} that has the relation.", chosen())) : { object, key: chosen().field };
  }

  drawChoice();
  readRelations().catch(() => void (none.hidden = relations.length > 0));
  return {
    node,
    control,
    hint: undefined,
    isEditable: true,
    isChanged: () => true,
    isIncomplete: () => false,
    typed: () => "",
    restoreText() {},
    read,
    save: async () => editor && { object: await editor.save(), key: chosen().field },
    close: () => editor?.close(),
  };
}
