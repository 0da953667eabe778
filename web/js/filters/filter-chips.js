// The chips of a filter: one for each condition, in groups, with the buttons that change them.

import { button, iconButton, visuallyHidden } from "../buttons.js";
import { conditionParts } from "./condition-text.js";
import { inlineKey } from "../direction.js";
import { el, fillWhenChanged } from "../dom.js";
import { isGroup, itemAt, matches, withItem, withReplaced, withoutItem } from "./filter.js";
import { pointerLabel } from "../pointer-link.js";
import { t } from "../texts.js";

/** The maximum depth of groups that the chips offer to add. */
const depthMax = 3;
let chipCount = 0;
const matchWords = { all: t("all of"), any: t("any of"), none: t("none of") };
/** The number of a group, such as "2.1". */
const numberOf = (path) => path.map((index) => index + 1).join(".");

/**
 * @param label the name of the chips
 * @param addButton the button that adds a condition, which gets the focus after the last chip was removed
 * @param present returns the filter
 * @param change `(filter)`: takes the changed filter
 * @param types returns the known field types of the class
 * @param typesOf `(className)`: the known field types of another class
 * @param captionOf `(pointer)`: the caption of an object
 * @param openCondition `({condition, save, remove})`: opens the form of a condition
 * @param openRaw edits the raw conditions; null if they can only be removed
 * @returns {node, show, add, remove}: `show(filter, more, stamp)` draws a filter and further nodes, if the stamp has changed; null
 *   draws nothing
 */
export function createFilterChips({ label, addButton, present, change, types, typesOf, captionOf, openCondition, openRaw }) {
  const node = el("div", { class: "chips", role: "group", "aria-label": label, on: { keydown: onKey } });

  /** Opens the form of a new condition. `wrap` makes the item of the filter from the condition. */
  function add(path, wrap = (condition) => condition) {
    const save = (condition) => void change(withItem(present(), path, wrap(condition)));
    openCondition({ condition: null, save });
  }

  function edit(path) {
    const item = itemAt(present(), path);
    if (item.where) return openRaw();
    const save = (condition) => void change(withReplaced(present(), path, condition));
    openCondition({ condition: item, save, remove: () => remove(path) });
  }

  /** Removes a chip. The focus moves to the chip that takes its place, or to the button that adds a chip. */
  function remove(path) {
    change(withoutItem(present(), path));
    queueMicrotask(() => {
      if (!node.contains(document.activeElement)) addButton.focus();
    });
  }

  function onKey(event) {
    const edits = [...node.querySelectorAll("button.chip-edit")];
    const at = edits.indexOf(event.target);
    if (at < 0) return;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[inlineKey(event)];
    if (step) edits[at + step]?.focus();
    else if (event.key === "Delete" || event.key === "Backspace") remove(JSON.parse(event.target.dataset.path));
    else return;
    event.preventDefault();
  }

  return {
    node,
    show: (filter, more, stamp) => fillWhenChanged(node, stamp, () => filter !== null && [groupParts(filter, []), more()]),
    add,
    remove,
  };

  /** The parts of a group: the choice between all, any and none, the chips, and the buttons that add to the group. */
  function groupParts(group, path) {
    const depth = path.length;
    const place = depth === 0 ? "" : t(" to group {number}", { number: numberOf(path) });
    const addCondition = depth > 0 && button(
      [t("Add filter"), visuallyHidden(place)],
      () => add(path),
      { className: "button-small chip-add", focus: `filter add ${path}` },
    );
    const addGroup = button(
      [t("Add group"), visuallyHidden(place)],
      () => add(path, (condition) => ({ match: "any", items: [condition] })),
      { className: "button-small button-quiet chip-add-group", focus: `filter group ${path}` },
    );
    return [
      (depth > 0 || group.items.length > 1) && matchChoice(group, path),
      group.items.map((item, index) => (isGroup(item) ? groupChip(item, [...path, index]) : chip(item, [...path, index]))),
      addCondition,
      depth < depthMax && (depth > 0 || group.items.length > 0) && addGroup,
    ];
  }

  function groupChip(group, path) {
    const label = t("Group {number}: {match}", { number: numberOf(path), match: matchWords[group.match] });
    return el("div", { class: "chip-group", role: "group", "aria-label": label }, groupParts(group, path), removeButton(t("Remove {words}", { words: t("the group") }), path));
  }

  function matchChoice(group, path) {
    const choose = () => change(withReplaced(present(), path, { ...group, match: control.value }));
    const control = el(
      "select",
      { class: "chip-match", "aria-label": t("Objects must match"), data: { focus: `filter match ${path}` }, on: { change: choose } },
      matches.map((match) => el("option", { value: match }, matchWords[match])),
    );
    control.value = group.match;
    return control;
  }

  function chip(item, path) {
    const words = item.where ? el("span", { class: "chip-raw" }, JSON.stringify(item.where)) : chipWords(item);
    const isEditable = !item.where || openRaw !== null;
    const id = `chip-${++chipCount}`;
    const attributes = { id, class: "chip-edit", dir: "auto", data: { path: JSON.stringify(path), focus: `filter ${path}` } };
    const edit$ = isEditable
      ? el("button", { ...attributes, type: "button", title: t("Enter edits, Delete removes"), on: { click: () => edit(path) } }, words)
      : el("span", attributes, words);
    const removal = removeButton(t("Remove"), path);
    // The name of the button follows the chip, which shows the captions of objects as soon as the page knows them.
    removal.id = `${id}-remove`;
    removal.setAttribute("aria-labelledby", `${removal.id} ${id}`);
    return el("div", { class: "chip" }, edit$, removal);
  }

  function chipWords(condition) {
    const { field, words, value, pointers } = conditionParts(condition, types(), typesOf, captionOf);
    return [
      field && el("span", { class: "chip-field" }, field),
      el("span", { class: "chip-operator" }, ` ${words} `),
      value && el("bdi", { class: "chip-value" }, value),
      pointers.map((pointer, index) => [index > 0 ? ", " : " ", pointerLabel(pointer)]),
    ];
  }

  function removeButton(label, path) {
    return iconButton(label, "close", () => remove(path), { focus: `filter remove ${path}` });
  }
}
