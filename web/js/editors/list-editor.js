// The editor of a list of values: a chip for each value, and an input that adds one. Enter adds the typed value, and the pasted lines
// of a text are added one by one. In an ordered list, the chips are moved and changed, by keys and by the buttons for the chosen chip.

import { button, iconButton, visuallyHidden } from "../buttons.js";
import { inlineKey } from "../direction.js";
import { el, fill } from "../dom.js";
import { entryKind, pointerKind } from "./entry-kinds.js";
import { isPointer, openIcon } from "../pointer-link.js";
import { t } from "../texts.js";
import { isEqual } from "../values.js";

let count = 0;

/**
 * The editor of a list in which no value occurs twice.
 *
 * @param kindName "text", "number" or "item"
 * @param value the list before the edit; undefined for an empty one
 */
export function createListEditor(kindName, value, attributes) {
  return listEditor(entryKind(kindName), { value, attributes });
}

/** The editor of a list of pointers to objects of a class. */
export function createObjectListEditor(targetClass, value, attributes, services) {
  return listEditor(pointerKind(targetClass, attributes.id, services), { value, attributes });
}

/**
 * @param kind the kind of the values, see `entry-kinds.js`
 * @param isOrdered whether values are moved and changed, and may occur twice
 * @param label the label of the field of an ordered list
 * @param linksObjects whether pointers have links to their objects
 */
export function listEditor(kind, { value, attributes, isOrdered = false, label = "", linksObjects = false }) {
  const before = value ?? [];
  let values = before;
  /** The place of the chosen value, and whether the input replaces it. */
  let chosen = null;
  let isReplacing = false;
  const list = el("ol", { class: "chips value-chips", "aria-label": t("Entered values"), on: { keydown: onChipKey, focusin: onChipFocus } });
  const control = kind.control({ ...attributes, on: { keydown: onKey, paste: onPaste, input: () => kind.search?.searchSoon(control.value) } });
  const problem = el("p", { class: "field-problem", role: "alert", dir: "auto", hidden: true });
  const said = el("p", { class: "visually-hidden", role: "status" });
  const ofList = isOrdered ? t(" to {label}", { label }) : t(" a value");
  const addButton = button("", () => addTyped(), { className: "value-add" });
  const tool = (words, run) => button([words, visuallyHidden(t(" in {label}", { label }))], run, { className: "button-small button-quiet" });
  const earlier = tool(t("Move earlier"), () => move(-1));
  const later = tool(t("Move later"), () => move(1));
  const tools = el("div", { class: "value-tools", hidden: true }, earlier, later, tool(t("Change"), () => change(chosen)));
  const node = el("div", { class: "list-editor" }, list, tools, el("div", { class: "member-add" }, control, kind.options, addButton), problem, said);

  function onKey(event) {
    if (event.key === "Escape" && isReplacing) {
      event.preventDefault();
      return stopReplacing();
    }
    if (event.key === "Backspace" && control.value === "" && values.length > 0 && !isReplacing && control.localName === "input") return removeAt(values.length - 1);
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

  const placeOf = (target) => [...list.children].findIndex((item) => item.contains(target));

  function onChipFocus({ target }) {
    if (isOrdered && target.matches(".chip-edit")) choose(placeOf(target));
  }

  function onChipKey(event) {
    if (!event.target.matches(".chip-edit")) return;
    const at = placeOf(event.target);
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[inlineKey(event)];
    if (step && event.altKey) move(step, true);
    else if (step) focusChip(at + step);
    else if (event.key === "Delete" || event.key === "Backspace") removeAt(at, true);
    else if (event.key === "Enter" || event.key === "F2") change(at);
    else return;
    event.preventDefault();
  }

  function focusChip(at) {
    list.children[at]?.querySelector(".chip-edit").focus();
  }

  function choose(at) {
    chosen = at;
    [...list.children].forEach((item, index) => item.classList.toggle("is-chosen", index === at));
    tools.hidden = at === null;
    earlier.disabled = at === 0;
    later.disabled = at === values.length - 1;
  }

  /** Moves the chosen value by one place. */
  function move(step, byKey = false) {
    const to = chosen + step;
    if (to < 0 || to >= values.length) return;
    values = values.toSpliced(chosen, 1).toSpliced(to, 0, values[chosen]);
    changed();
    choose(to);
    said.textContent = t("{number} of {count}", { number: to + 1, count: values.length });
    // A disabled button loses the focus.
    if (byKey || document.activeElement === document.body) focusChip(to);
  }

  /** Takes a value into the input, which then replaces the value. */
  async function change(at) {
    if (at === null) return;
    choose(at);
    control.value = await kind.textOf(values[at]);
    isReplacing = true;
    drawAdd();
    control.focus();
    control.select?.();
  }

  function stopReplacing() {
    isReplacing = false;
    control.value = "";
    drawAdd();
    focusChip(chosen);
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
    if (control.value.trim() === "") return undefined;
    const one = await kind.take(typedText());
    if (one instanceof Error) return one;
    values = joined(one);
    control.value = "";
    isReplacing = false;
    changed();
    return undefined;
  }

  /** The text of the input. The text of a changed value may begin or end with spaces. */
  const typedText = () => (isReplacing ? control.value : control.value.trim());

  /** The list with the typed value. */
  function joined(one) {
    if (isReplacing) return values.with(chosen, one);
    return isOrdered || !values.some((other) => isEqual(other, one)) ? [...values, one] : values;
  }

  function removeAt(at, isChip = false) {
    values = values.toSpliced(at, 1);
    isReplacing = false;
    changed();
    if (isChip && values.length > 0) focusChip(Math.min(at, values.length - 1));
    else control.focus();
  }

  /** Draws the values, and reports the change to the form, which keeps a draft. */
  function changed() {
    draw();
    node.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function draw() {
    list.hidden = values.length === 0;
    fill(list, values.map(chip));
    choose(null);
    drawAdd();
  }

  function drawAdd() {
    fill(addButton, isReplacing ? t("Replace") : t("Add"), visuallyHidden(isReplacing ? t(" in {label}", { label }) : ofList));
  }

  function chip(one, at) {
    const remove = (words, isChip) => iconButton(words, "close", () => removeAt(at, isChip));
    if (!isOrdered) return el("li", { class: "chip" }, el("span", { class: "chip-text" }, kind.show(one)), remove(t("Remove {words}", { words: kind.words(one) })));
    const place = visuallyHidden(t(", {number} of {count} in {label}", { number: at + 1, count: values.length, label }));
    const id = `value-${++count}`;
    const text = el("button", { id, class: "chip-edit", type: "button", dir: "auto", title: t("Enter changes, Alt with an arrow moves, Delete removes"), on: { click: () => choose(at) } }, kind.show(one), place);
    const removal = remove(t("Remove"), true);
    // The name of the button follows the chip, which shows the caption of an object as soon as the page knows it.
    removal.id = `${id}-remove`;
    removal.setAttribute("aria-labelledby", `${removal.id} ${id}`);
    return el("li", { class: "chip" }, text, linksObjects && isPointer(one) && openIcon(one), removal);
  }

  draw();
  return {
    node,
    control,
    hint: kind.hint,
    isEditable: true,
    isChanged: () => control.value.trim() !== "" || !isEqual(values, before),
    isIncomplete: () => control.validity.badInput,
    typed: () => JSON.stringify({ values, text: isReplacing ? "" : control.value }),
    restoreText(typed) {
      const kept = JSON.parse(typed);
      values = kept.values;
      control.value = kept.text;
      draw();
    },
    /** Returns the list with the typed value, but without a typed object, which is looked up when it is added; undefined for an empty list. */
    read() {
      if (control.value.trim() === "") return values.length === 0 ? undefined : values;
      if (kind.search !== null) return values;
      const one = kind.take(typedText());
      return one instanceof Error ? one : joined(one);
    },
    /** Resolves to the list. A value in the input is added too. */
    async save() {
      const wrong = await takeTyped();
      if (wrong instanceof Error) throw wrong;
      return values;
    },
    close: () => kind.search?.stop(),
  };
}
