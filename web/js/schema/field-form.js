// The form that adds a field to a class, or changes whether a field is required and its default value.

import { el } from "../dom.js";
import { fieldRow } from "../editors/field-row.js";
import { formField } from "../field-types.js";
import { openForm } from "../form.js";
import { isClassName, typeNames } from "./built-in.js";
import { t } from "../texts.js";

const isFieldName = (text) => /^[A-Za-z]\w*$/.test(text);
const hasTarget = (type) => type === "Pointer" || type === "Relation";
/** The types whose default value is entered as JSON. */
const asJSON = ["File", "Polygon", "Bytes"];
const requiredHint = t("Parse checks this when an object is written. Stored objects without a value stay as they are.");

/**
 * @param field the field to change: {name, type, targetClass, required, defaultValue}; null to add one
 * @param names the names of the fields that the class has
 * @param classes the names of all classes
 * @param save `(name, options)`: saves the field; an error keeps the form open
 */
export function openFieldForm({ className, field, names, classes, services, save }) {
  const name = fieldRow({ name: "name", label: t("Name"), kind: "text", required: true, hint: t("Letters, digits and _. Parse cannot rename a field later.") });
  const type = fieldRow({ name: "type", label: t("Type"), kind: "choice", options: Object.entries(typeNames), required: true, hint: t("Parse cannot change the type later.") }, "String");
  const target = fieldRow({ name: "target", label: t("Target class"), kind: "text", required: true });
  const required = fieldRow(
    { name: "required", label: t("Required"), kind: "choice", options: [["no", t("No")], ["yes", t("Yes")]], required: true, hint: requiredHint },
    field?.required === true ? "yes" : "no",
  );
  const list = el("datalist", { id: "schema-classes" }, classes.map((name) => el("option", { value: name })));
  const optional = el("div", { class: "form-rows-part" });
  const rows = [];
  let standard = null;
  let shown = null;
  target.control.setAttribute("list", list.id);
  check(name, (text) => (isFieldName(text) ? names.includes(text) && t("The class has a field with this name.") : t("Start with a letter. Use only letters, digits and _.")));
  check(target, (text) => !isClassName(text) && t("Enter the name of a class."));
  type.control.addEventListener("change", () => draw(type.control.value));
  draw(field?.type ?? "String");
  const part = (row) => field === null && row.node;
  openForm({
    title: field === null ? t("Add a field to {className}", { className }) : t("Change {name}", { name: field.name }),
    rows,
    body: [part(name), part(type), part(target), required.node, optional, list],
    saveLabel: field === null ? t("Add field") : t("Save"),
    async submit() {
      const options = { type: shown };
      if (hasTarget(shown)) options.targetClass = field?.targetClass ?? target.control.value.trim();
      if (shown !== "Relation") {
        options.required = required.control.value === "yes";
        const value = await standard.value();
        if (value !== undefined) options.defaultValue = value;
      }
      await save(field?.name ?? name.control.value.trim(), options);
    },
  });

  /** Shows the rows that a type has. */
  function draw(next) {
    shown = next;
    const hasOptions = next !== "Relation";
    standard?.close();
    standard = hasOptions ? fieldRow({ ...defaultField(next), name: "default" }, field?.defaultValue ?? undefined, services) : null;
    optional.replaceChildren(...(standard ? [standard.node] : []));
    required.node.hidden = !hasOptions;
    target.node.hidden = !hasTarget(next);
    rows.splice(0, rows.length, ...(field === null ? [name, type] : []), ...(field === null && hasTarget(next) ? [target] : []), ...(hasOptions ? [required, standard] : []));
  }

  function defaultField(next) {
    const label = t("Default value");
    const hint = t("A new object without a value gets it. Objects that exist stay as they are.");
    // The editor of a pointer searches in the target class, which is unknown while the field is new.
    if (asJSON.includes(next) || (next === "Pointer" && field === null)) return { label, kind: "object", hint };
    const sample = field?.defaultValue === undefined ? [] : [{ default: field.defaultValue }];
    return { ...formField("default", { type: next, targetClass: field?.targetClass }, sample), label, hint };
  }
}

/** Adds a check to a row: `wrong(text)` returns the message for a wrong text. */
function check(row, wrong) {
  const before = row.check;
  row.check = () => {
    if (!before()) return false;
    const message = wrong(row.control.value.trim());
    return message ? row.showError(message) : true;
  };
}
