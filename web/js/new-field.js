// The section of a form that adds a field to an object. The user enters the field's name and type.

import { button } from "./buttons.js";
import { el } from "./dom.js";
import { liveRow } from "./editors/live-row.js";
import { commonFields, formField, newFieldTypes } from "./field-types.js";
import { t } from "./texts.js";

const isName = (text) => /^[A-Za-z]\w*$/.test(text);

/**
 * @param rows the rows of the form; a row is appended for each added field
 * @param isFetched returns whether the field of a given name is fetched from the remote
 * @param added the fields that the user had added in a restored draft: [{name, type, targetClass}]
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
  const targetPart = labelled(t("Points to class"), target);
  const section = el(
    "details",
    { class: "new-field" },
    el("summary", {}, t("Add a field")),
    el("div", { class: "new-field-row" }, labelled(t("Name"), name), labelled(t("Type"), type), targetPart, button(t("Add field"), add)),
    problem,
  );
  for (const control of [name, target]) control.addEventListener("keydown", addOnEnter);
  showTarget();
  return [added.map((field) => addRow(field).node), section];

  function addRow(field) {
    const row = liveRow(formField(field.name, field), undefined, services, { added: field });
    rows.push(row);
    return row;
  }

  function showTarget() {
    targetPart.hidden = type.value !== "Pointer";
  }

  // In the inputs for the name and the target class, the Enter key adds the field instead of submitting the form.
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
    if (!isName(name.value)) return t("Start with a letter. Use only letters, digits and _.");
    if (commonFields.includes(name.value) || rows.some((row) => row.name === name.value)) return t("A field with this name already exists.");
    if (!isFetched(name.value)) return t("This field is not fetched. Saving would overwrite its value on the remote.");
    if (type.value === "Pointer" && !isName(target.value.trim())) return t("Enter the class it points to.");
    return null;
  }
}
