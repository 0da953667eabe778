// The form that sets a field of many objects. A line below the editor tells what the form will do.

import { planOf } from "./set-field.js";
import { fieldRow } from "../editors/field-row.js";
import { openForm } from "../form.js";
import { el, fill } from "../dom.js";
import { counted, plural, t } from "../texts.js";
import { excerpt, valueText } from "../values.js";

/** The maximum number of characters of the value in the line. */
const valueMax = 60;
const changes = { value: t("Set a value"), null: t("Set to null"), remove: t("Remove the value") };

/**
 * @param count the number of the selected objects
 * @param fields the fields to choose from: {name, label, kind, required}
 * @param services the gateway functions that editors use
 * @param read `(field, signal)`: resolves to {objects, missing}: the selected objects with the field, and the ids of those that are
 *   no longer there
 * @param nameOf `(objectId)`: the name of an object
 * @param start `({field, value, items, same})`: starts the change, after the form has closed. `same` is the number of the objects that have
 *   the value already.
 */
export function openSetField({ count, fields, services, read, nameOf, start }) {
  const options = (all) => all.map(([value, words]) => el("option", { value }, words));
  const select = (id, label, all, onChange) => {
    const control = el("select", { class: "input", id, on: { change: onChange } }, options(all));
    return { control, node: el("div", { class: "field" }, el("label", { class: "label", for: id }, label), control) };
  };
  const field = select("bulk-field", t("Field"), fields.map(({ name }) => [name, name]), chooseField);
  const change = select("bulk-change", t("Change"), Object.entries(changes), chooseChange);
  const place = el("div");
  const line = el("p", { class: "bulk-preview", role: "status", dir: "auto" });
  let row = null;
  let reading = null;
  /** The objects with the chosen field; null while they are being read. */
  let found = null;
  let planned = null;
  const chosen = () => fields.find(({ name }) => name === field.control.value);

  const fieldChoice = { name: "field", control: field.control, isChanged: () => false, check: () => true, close: () => {} };
  const valueRow = {
    name: "value",
    get control() {
      return change.control.value === "value" ? row.control : change.control;
    },
    isChanged: () => change.control.value === "value" && row.isChanged(),
    check: checkValue,
    close: () => (reading?.abort(), row.close()),
  };
  const frame = openForm({
    title: t("Set a field of {objects}", { objects: counted(count, "object") }),
    rows: [fieldChoice, valueRow],
    body: [field.node, change.node, place, line],
    saveLabel: t("Set"),
    failure: t("Not set."),
    submit,
  });
  frame.dialog.addEventListener("close", () => planned && start(planned));
  frame.dialog.addEventListener("input", draw);
  frame.dialog.addEventListener("change", draw);
  chooseField();
  return frame;

  function chooseField() {
    row?.close();
    row = fieldRow({ ...chosen(), label: t("Value"), required: false }, undefined, services);
    fill(place, row.node);
    chooseChange();
    readObjects();
  }

  function chooseChange() {
    place.hidden = change.control.value !== "value";
    draw();
  }

  async function readObjects() {
    reading?.abort();
    const own = new AbortController();
    reading = own;
    found = null;
    draw();
    try {
      const answer = await read(field.control.value, own.signal);
      if (own === reading) found = answer;
    } catch (error) {
      if (own === reading && !own.signal.aborted) found = error;
    }
    if (own === reading) draw();
  }

  function checkValue() {
    if (change.control.value !== "value") return true;
    if (!row.check()) return false;
    return row.read() === undefined ? row.showError(t("Enter a value, or choose another change.")) : true;
  }

  function plan(value) {
    return planOf(found.objects, field.control.value, value, nameOf);
  }

  /** The value that the form sets now; an Error while there is none. */
  function entered() {
    if (change.control.value === "null") return null;
    if (change.control.value === "remove") return undefined;
    return row.read() ?? new Error(t("There is no value."));
  }

  function draw() {
    line.textContent = previewText();
  }

  function previewText() {
    if (found === null) return t("Reading the objects …");
    if (found instanceof Error) return t("The objects cannot be read. {message}", { message: found.message });
    const value = entered();
    const gone = found.missing.length > 0 ? plural(" {count} selected object no longer there.", " {count} selected objects no longer there.", { count: found.missing.length }) : "";
    if (value instanceof Error) return `${counted(found.objects.length, "object")}.${gone}`;
    const { items, same, denied } = plan(value);
    const name = field.control.value;
    const objects = counted(items.length, "object");
    const words = value === undefined ? t("Removes {name} from {objects}", { name, objects }) : t("Sets {name} to {value} on {objects}", { name, value: excerpt(valueText(value), valueMax), objects });
    const rest = value === undefined ? plural("{count} has no value", "{count} have no value", { count: same }) : plural("{count} has it already", "{count} have it already", { count: same });
    return `${words}${same > 0 ? `, ${rest}` : ""}.${denied > 0 ? t(" You may not change {objects}.", { objects: counted(denied, "object") }) : ""}${gone}`;
  }

  async function submit() {
    if (found === null) throw new Error(t("The objects are still being read."));
    if (found instanceof Error) throw found;
    const value = change.control.value === "value" ? await row.value() : entered();
    const { items, same } = plan(value);
    if (items.length === 0) throw new Error(t("There is nothing to change."));
    planned = { field: field.control.value, value, items, same };
  }
}
