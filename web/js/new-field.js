// The end of a form for any class: adds an editor for a field that no object has yet, by its name and type.

import { button } from "./buttons.js";
import { el } from "./dom.js";
import { followingRow } from "./editors/following-row.js";
import { commonFields, formField, newFieldTypes } from "./field-types.js";

const isName = (text) => /^[A-Za-z]\w*$/.test(text);

/**
 * @param rows the rows of the form, which get another one
 * @param isFetched whether the value of a field is here, by its name
 * @param added fields that were added earlier: {name, type, targetClass}
 */
export function newFieldSection(rows, services, isFetched, added = []) {
  const name = el("input", { class: "input", id: "new-field-name", type: "text", autocomplete: "off", spellcheck: "false" });
  const type = el(
    "select",
    { class: "input", id: "new-field-type", on: { change: showTarget } },
    Object.entries(newFieldTypes).map(([key, words]) => el("option", { value: key }, words)),
  );
  const target = el("input", { class: "input", id: "new-field-target", type: "text", autocomplete: "off", spellcheck: "false" });
  const problem = el("p", { class: "field-problem", role: "alert" });
  const labelled = (words, control) => el("div", {}, el("label", { class: "label", for: control.id }, words), control);
  const targetPart = labelled("Points to class", target);
  const section = el(
    "details",
    { class: "new-field" },
    el("summary", {}, "Another field"),
    el("div", { class: "new-field-row" }, labelled("Name", name), labelled("Type", type), targetPart, button("Add field", add)),
    problem,
  );
  for (const control of [name, target]) control.addEventListener("keydown", addOnEnter);
  showTarget();
  return [added.map((field) => addRow(field).node), section];

  function addRow(field) {
    const row = followingRow(formField(field.name, field), undefined, services, { added: field });
    rows.push(row);
    return row;
  }

  function showTarget() {
    targetPart.hidden = type.value !== "Pointer";
  }

  // Enter in these inputs is about the field, not about the whole form.
  function addOnEnter(event) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    add();
  }

  function add() {
    problem.textContent = wrong() ?? "";
    if (problem.textContent !== "") return;
    const row = addRow({ name: name.value, type: type.value, targetClass: target.value.trim() });
    section.before(row.node);
    name.value = "";
    section.open = false;
    row.control.focus();
  }

  function wrong() {
    if (!isName(name.value)) return "A name begins with a letter, and has letters, digits and _ only.";
    if (commonFields.includes(name.value) || rows.some((row) => row.name === name.value)) return "There is a field of this name.";
    if (!isFetched(name.value)) return "This field is not fetched here: its value on the remote would be overwritten.";
    if (type.value === "Pointer" && !isName(target.value.trim())) return "Give the class that it points to.";
    return null;
  }
}
