// The editor of an array: an ordered list of chips, if all entries have one type that an input can edit. The array is shown as JSON on
// request. An array with entries of several types, or with nested entries, is always edited as JSON.

import { visuallyHidden } from "../buttons.js";
import { el, fill } from "../dom.js";
import { entryKind, kindLabels, kindOfEntries, pointerKind } from "./entry-kinds.js";
import { listEditor } from "./list-editor.js";
import { createTextEditor } from "./text-editor.js";
import { t } from "../texts.js";
import { isEqual } from "../values.js";

/** The maximum number of entries that are shown as chips. */
const chipsMax = 200;

/** A kind of entries as the value of a choice, such as "text" or "pointer Person", and the kind of such a value. */
const choiceOf = ({ name, targetClass }) => (name === "pointer" ? `pointer ${targetClass}` : name);
function kindOfChoice(choice) {
  const [name, targetClass] = choice.split(" ");
  return { name, targetClass };
}

/**
 * @param field {label, entries, linksObjects}: `entries` is the kind of the entries of other objects, see `kindOfEntries`; null if it is
 *   unknown
 */
export function createArrayEditor({ label, entries = null, linksObjects = false }, value, attributes, services) {
  const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0);
  /** The kind of the entries of an array; null for an array that is edited as JSON. */
  const kindOf = (array) => (array.length === 0 ? (entries ?? { name: "text" }) : array.length <= chipsMax ? kindOfEntries(array) : null);
  const first = Array.isArray(value) || isEmpty ? kindOf(value ?? []) : null;
  if (first === null) return jsonEditor(value, attributes);

  const place = el("div", { on: { change: drawType } });
  const typeChoice = el(
    "select",
    { class: "input value-type", "aria-label": t("Type of the entries of {label}", { label }), on: { change: () => showList([], kindOfChoice(typeChoice.value)) } },
    Object.entries(kindLabels).map(([name, words]) => el("option", { value: name }, words)),
    services.classNames().map((name) => el("option", { value: choiceOf({ name: "pointer", targetClass: name }) }, t("Objects of {name}", { name }))),
  );
  const problem = el("p", { class: "field-problem", role: "alert", hidden: true });
  const toggle = el(
    "button",
    { class: "null-choice", type: "button", title: t("The array as JSON"), on: { click: () => (json === null ? showJson() : leaveJson()) } },
    "JSON",
    visuallyHidden(t(" for {label}", { label })),
  );
  let kind = first;
  /** The shown editors: always the list, and the text of the array while it is shown as JSON. */
  let list = null;
  let json = null;
  showList(value ?? [], first);

  function showList(values, next) {
    list?.close();
    kind = next;
    json = null;
    const made = kind.name === "pointer" ? pointerKind(kind.targetClass, attributes.id, services) : entryKind(kind.name);
    list = listEditor(made, { value: values, attributes, isOrdered: true, label, linksObjects });
    draw();
  }

  /** Shows the array as JSON. A typed entry that is no value stays in its input. */
  async function showJson(text = null) {
    if (text === null && !(await isTaken())) return;
    json = createTextEditor("array", list.read() ?? [], { ...attributes, id: `${attributes.id}-json`, "aria-label": t("{label} as JSON", { label }) });
    if (text !== null) json.restoreText(text);
    draw();
    json.control.focus();
  }

  async function isTaken() {
    try {
      await list.save();
      tell("");
      return true;
    } catch (error) {
      tell(error.message);
      return false;
    }
  }

  function leaveJson() {
    const array = json.read() ?? [];
    if (array instanceof Error) return tell(array.message);
    const next = kindOf(array);
    if (next === null) return tell(t("Only entries of one type, and at most {count}, are shown as a list.", { count: chipsMax }));
    showList(array, array.length === 0 ? kind : next);
    return toggle.focus();
  }

  function tell(words) {
    problem.textContent = words;
    problem.hidden = words === "";
  }

  /** The type of the entries is a choice as long as neither this array nor another object has any. */
  function drawType() {
    typeChoice.hidden = json !== null || list.read() !== undefined;
    typeChoice.value = choiceOf(kind);
  }

  function draw() {
    tell("");
    drawType();
    list.node.hidden = json !== null;
    fill(place, list.node, json?.node);
    toggle.setAttribute("aria-pressed", String(json !== null));
  }

  const read = () => (json === null ? (list.read() ?? (value === undefined ? undefined : [])) : json.read());
  return {
    node: el("div", {}, place, problem, entries === null && isEmpty && typeChoice),
    /** The button that shows the array as JSON, beside the label of the field. */
    aside: toggle,
    get control() {
      return (json ?? list).control;
    },
    hint: list.hint,
    isEditable: true,
    isChanged: () => (json === null && list.control.value.trim() !== "") || !isEqual(read(), value),
    isIncomplete: () => json === null && list.isIncomplete(),
    typed: () => JSON.stringify({ kind, list: list.typed(), json: json?.typed() ?? null }),
    restoreText(text) {
      const kept = JSON.parse(text);
      showList(value ?? [], kept.kind);
      list.restoreText(kept.list);
      if (kept.json !== null) showJson(kept.json);
      else draw();
    },
    read,
    async save() {
      if (json !== null) return read();
      await list.save();
      return read();
    },
    close: () => list.close(),
  };
}

function jsonEditor(value, attributes) {
  const editor = createTextEditor("array", value, attributes);
  return editor.isEditable ? { ...editor, hint: t("As JSON, because the entries have several types, or are nested or many: [ … ].") } : editor;
}
