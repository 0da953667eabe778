// The form of one condition: the field, the operator and the value.

import { el, fill } from "../dom.js";
import { fieldRow } from "../editors/field-row.js";
import { openForm } from "../form.js";
import { inputOf } from "./inputs.js";
import { fieldType, filterFields, operatorOf, operatorsOf } from "./operators.js";
import { relatedTo } from "./pointer-operators.js";
import { t } from "../texts.js";

/** The choice of a path inside of an object, in the list of fields. No field has this name. */
const pathChoice = "$path";
const isPath = (text) => /^[A-Za-z_]\w*(\.\w+)*$/.test(text);

let count = 0;

/**
 * @param className the class of the objects that the condition is about
 * @param condition the condition to edit; null for a new one
 * @param types the known field types of the class
 * @param services the gateway functions that editors use
 * @param save `(condition)`: takes the entered condition
 * @param remove removes the condition; not used for a new one
 */
export function openConditionForm({ className, condition, types, services, save, remove }) {
  const editorServices = { ...services, openCondition: (form) => openConditionForm({ services, ...form }) };
  const names = filterFields(types);
  const given = condition?.field ?? names[0];
  // The form of a condition on another class opens above this form.
  const formId = `filter-${++count}`;
  const field = select(`${formId}-field`, [
    ...names.map((name) => [name, name]),
    [pathChoice, t("A path inside an object")],
    [relatedTo, t("Member of a relation")],
  ]);
  const path = el("input", { class: "input input-code", id: `${formId}-path`, type: "text", autocomplete: "off", spellcheck: "false" });
  const pathPart = labelled(t("Path"), path, t("Names separated by dots, for example address.city."));
  const operator = select(`${formId}-operator`, []);
  const values = el("div", { class: "form-more-rows" });
  const isListed = names.includes(given) || given === relatedTo;
  field.value = isListed ? given : pathChoice;
  path.value = isListed ? "" : given;
  const head = {
    name: "field",
    control: path,
    check() {
      const isFine = field.value !== pathChoice || isPath(path.value.trim());
      path.setAttribute("aria-invalid", String(!isFine));
      return isFine;
    },
    isChanged: () => false,
    close() {},
  };
  const rows = [head];
  const chosen = () => (field.value === pathChoice ? path.value.trim() : field.value);
  const present = () => operatorsOf(chosen(), types).find(({ id }) => id === operator.value);
  field.addEventListener("change", showOperators);
  // The inputs stay while the path has the same operators, because the user may already be in one of them.
  path.addEventListener("change", () => operatorsOf(chosen(), types).every(({ id }, at) => id === operator.options[at]?.value) || showOperators());
  operator.addEventListener("change", () => showValue());
  showOperators();
  if (condition) {
    operator.value = condition.operator;
    showValue(condition.value);
  }
  const operatorPart = labelled(t("Operator"), operator);
  const frame = openForm({
    title: condition ? t("Edit the condition") : t("Add a condition"),
    rows,
    body: [labelled(t("Field"), field), pathPart, operatorPart, values],
    saveLabel: condition ? t("Apply") : t("Add"),
    failure: t("Not applied."),
    aside: condition && { words: t("Remove"), run: remove },
    async submit() {
      const { id, input } = present();
      const entered = {};
      for (const row of rows.slice(1)) entered[row.name] = await row.value();
      save({ field: chosen(), operator: id, value: inputOf(input).join(entered, fieldType(chosen(), types)) });
    },
  });
  if (condition === null || rows.length === 1) field.focus();
  else rows[1].control.focus();
  return frame;

  function showOperators() {
    pathPart.hidden = field.value !== pathChoice;
    const before = operator.value;
    const offered = operatorsOf(chosen(), types);
    fill(operator, offered.map(({ id, words, listed = words }) => el("option", { value: id }, listed)));
    operator.value = offered.some(({ id }) => id === before) ? before : offered[0].id;
    showValue();
  }

  /** Shows the input of the chosen operator, with a value if there is one. */
  function showValue(value) {
    for (const row of rows.splice(1)) row.close();
    const input = inputOf(operatorOf({ field: chosen(), operator: operator.value }, types).input);
    const before = value === undefined ? (input.initial ?? {}) : input.split(value);
    for (const one of input.fields(fieldType(chosen(), types), className)) {
      // The form closes without a question, because a condition is quickly entered again.
      rows.push({ ...fieldRow(one, before[one.name], editorServices), isChanged: () => false });
    }
    fill(values, rows.slice(1).map(({ node }) => node));
  }
}

function select(id, options) {
  return el("select", { class: "input", id }, options.map(([value, words]) => el("option", { value }, words)));
}

function labelled(words, control, hint) {
  return el(
    "div",
    { class: "field" },
    el("label", { class: "label", for: control.id }, words),
    control,
    hint && el("p", { class: "hint" }, hint),
  );
}
