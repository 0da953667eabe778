// The editor of a list of values: a chip for each value, and an input that adds one. Enter adds the typed value, and the pasted lines
// of a text are added one by one.

import { button, iconButton, visuallyHidden } from "../buttons.js";
import { el, fill } from "../dom.js";
import { exactNumber } from "./exact-number.js";
import { itemOf, itemText } from "./item-text.js";
import { pointerLabel } from "../pointer-link.js";
import { createObjectSearch } from "./object-search.js";
import { t } from "../texts.js";
import { isEqual } from "../values.js";

const plain = { attributes: { type: "text", dir: "auto", spellcheck: "false", autocapitalize: "off" }, search: null };
/** The kinds of values: `take` returns the value of a text, or an Error; `words` and `show` are a value as text and on its chip. */
const kinds = {
  text: { ...plain, take: (text) => text, words: (value) => value, hint: t("Enter adds a value.") },
  number: { ...plain, attributes: { ...plain.attributes, inputmode: "decimal" }, take: exactNumber, words: String, hint: t("Enter adds a value.") },
  item: { ...plain, take: itemOf, words: itemText, hint: t("Enter adds a value: a text, or a number, true, false or other JSON.") },
};

/**
 * @param kindName "text", "number" or "item"
 * @param value the list before the edit; undefined for an empty one
 */
export function createListEditor(kindName, value, attributes) {
  const kind = kinds[kindName];
  return listEditor({ ...kind, show: (item) => el("bdi", {}, kind.words(item)) }, value, attributes);
}

/**
 * The editor of a list of pointers, which finds objects by caption or id.
 *
 * @param services {suggest, lookUp}, see `services.js`
 */
export function createObjectListEditor(targetClass, value, attributes, services) {
  const options = el("datalist", { id: `${attributes.id}-suggest` });
  const search = createObjectSearch(targetClass, services, (texts) => fill(options, texts.map((text) => el("option", { value: text }))));
  async function take(text) {
    await search.finish(text);
    const objectId = search.idOf(text);
    if (objectId instanceof Error) return objectId;
    const found = await search.textOf(objectId);
    if (found === null) return new Error(t("There is no object of {targetClass} with the id {objectId} here.", { targetClass, objectId }));
    return { __type: "Pointer", className: targetClass, objectId };
  }
  // Ignores a failure, because the user can type an id without suggestions.
  search.searchNow("").catch(() => {});
  const kind = {
    attributes: { ...plain.attributes, list: options.id },
    take,
    words: ({ objectId }) => objectId,
    show: pointerLabel,
    hint: t("Objects of {targetClass}. Type a part of a caption, or an id. Enter adds the object.", { targetClass }),
    search,
    options,
  };
  return listEditor(kind, value, attributes);
}

function listEditor({ take, words, show, hint, search, options = null, attributes: ofKind }, value, attributes) {
  const before = value ?? [];
  let values = before;
  const list = el("ul", { class: "chips value-chips", "aria-label": t("Entered values") });
  const control = el("input", {
    class: "input",
    autocomplete: "off",
    ...ofKind,
    on: { keydown: onKey, paste: onPaste, input: () => search?.searchSoon(control.value) },
    ...attributes,
  });
  const problem = el("p", { class: "field-problem", role: "alert", dir: "auto", hidden: true });
  const addButton = button([t("Add"), visuallyHidden(t(" a value"))], () => addTyped(), { className: "value-add" });
  const node = el("div", { class: "list-editor" }, list, el("div", { class: "member-add" }, control, options, addButton), problem);

  function onKey(event) {
    if (event.key === "Backspace" && control.value === "" && values.length > 0) return remove(values.at(-1));
    // Enter adds the value instead of saving the form.
    if (event.key !== "Enter" || control.value.trim() === "") return;
    event.preventDefault();
    addTyped();
  }

  async function onPaste(event) {
    const lines = event.clipboardData.getData("text/plain").split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
    if (lines.length < 2) return;
    event.preventDefault();
    for (const line of lines) {
      control.value = line;
      if (!(await addTyped())) return;
    }
  }

  /** Adds the typed value. Shows an error otherwise, and resolves to false. */
  async function addTyped() {
    const added = await takeTyped();
    problem.textContent = added instanceof Error ? added.message : "";
    problem.hidden = problem.textContent === "";
    control.focus();
    return problem.hidden;
  }

  /** Resolves to an Error if the typed text is no value. */
  async function takeTyped() {
    const text = control.value.trim();
    if (text === "") return undefined;
    const one = await take(text);
    if (one instanceof Error) return one;
    control.value = "";
    if (!values.some((other) => isEqual(other, one))) values = [...values, one];
    draw();
    return undefined;
  }

  function remove(one) {
    values = values.filter((other) => other !== one);
    draw();
    control.focus();
  }

  function draw() {
    list.hidden = values.length === 0;
    fill(list, values.map((one) => el("li", { class: "chip" }, el("span", { class: "chip-text" }, show(one)), iconButton(t("Remove {words}", { words: words(one) }), "close", () => remove(one)))));
  }

  draw();
  return {
    node,
    control,
    hint,
    isEditable: true,
    isChanged: () => control.value.trim() !== "" || !isEqual(values, before),
    isIncomplete: () => false,
    typed: () => JSON.stringify({ values, text: control.value }),
    restoreText(text) {
      const kept = JSON.parse(text);
      values = kept.values;
      control.value = kept.text;
      draw();
    },
    /** Returns the list, without the typed text, which is read when it is added; undefined for an empty list. */
    read: () => (values.length === 0 && control.value.trim() === "" ? undefined : values),
    /** Resolves to the list. A value in the input is added too. */
    async save() {
      const wrong = await takeTyped();
      if (wrong instanceof Error) throw wrong;
      return values;
    },
    close: () => search?.stop(),
  };
}
