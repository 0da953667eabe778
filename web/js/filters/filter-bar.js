// The row of chips above a list: one chip for each condition of the filter, groups of chips, and the buttons for saved filters and
// the query.

import { button, iconButton, visuallyHidden } from "../buttons.js";
import { openConditionForm } from "./condition-form.js";
import { conditionParts, conditionText, filterText } from "./condition-text.js";
import { inlineKey } from "../direction.js";
import { el, fillWhenChanged } from "../dom.js";
import { isGroup, itemAt, matches, withItem, withReplaced, withoutItem } from "./filter.js";
import { fromWhere, toWhere } from "./filter-where.js";
import { openSavedFilters } from "./saved-filters-form.js";
import { pointerLabel } from "../pointer-link.js";
import { tableOf } from "../tables.js";
import { t } from "../texts.js";
import { createWhereEditor } from "./where-editor.js";

/** The maximum depth of groups that the chips offer to add. */
const depthMax = 3;
const matchWords = { all: t("all of"), any: t("any of"), none: t("none of") };
/** The number of a group, such as "2.1". */
const numberOf = (path) => path.map((index) => index + 1).join(".");

/**
 * @param services the gateway functions that editors use
 * @param saved the stored filters
 * @param more a further button beside the filter's buttons
 * @returns {tools, chips, query}: the buttons, the row of chips, and the form of the query
 */
export function createFilterBar({ state, gateway, services, saved, more }) {
  const chips = el("div", { class: "chips", role: "group", "aria-label": t("Filter"), on: { keydown: onKey } });
  const where = createWhereEditor({ apply: setWhere });
  const whereButton = button(t("Query"), toggleWhere, { className: "button-small button-quiet", focus: "filter query" });
  whereButton.setAttribute("aria-expanded", "false");
  whereButton.setAttribute("aria-controls", where.node.id);
  const savedButton = button(t("Saved filters"), openSaved, { className: "button-small button-quiet", focus: "filter saved" });
  // The button stays in its place when the first chip appears.
  const addButton = button(t("Add filter"), () => add([]), { className: "button-small chip-add", focus: "filter add" });
  const tools = el("div", { class: "filter-tools" }, addButton, whereButton, more, savedButton);

  const className = () => state.values.className;
  const types = () => state.values.types.get(className()) ?? {};
  const presentWhere = () => tableOf(state.values, className()).where;
  const present = () => fromWhere(presentWhere(), types());

  function setWhere(next) {
    return gateway.changeTable(className(), { where: next, at: 0 });
  }

  function setFilter(filter) {
    return setWhere(toWhere(filter));
  }

  function toggleWhere() {
    where.node.hidden = !where.node.hidden;
    whereButton.setAttribute("aria-expanded", String(!where.node.hidden));
    if (!where.node.hidden) where.focus();
  }

  function openSaved() {
    openSavedFilters({ saved, className: className(), where: presentWhere(), types: types(), apply: setWhere });
  }

  /** Opens the form of a new condition. `wrap` makes the item of the filter from the condition. */
  function add(path, wrap = (condition) => condition) {
    const save = (condition) => void setFilter(withItem(present(), path, wrap(condition)));
    openConditionForm({ condition: null, types: types(), services, save });
  }

  function edit(path) {
    const item = itemAt(present(), path);
    if (item.where) {
      if (where.node.hidden) toggleWhere();
      return where.focus();
    }
    const save = (condition) => void setFilter(withReplaced(present(), path, condition));
    openConditionForm({ condition: item, types: types(), services, save, remove: () => remove(path) });
  }

  /** Removes a chip. The focus moves to the chip that takes its place, or to the button that adds a chip. */
  function remove(path) {
    setFilter(withoutItem(present(), path));
    queueMicrotask(() => {
      if (!chips.contains(document.activeElement)) addButton.focus();
    });
  }

  function onKey(event) {
    const edits = [...chips.querySelectorAll(".chip-edit")];
    const at = edits.indexOf(event.target);
    if (at < 0) return;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[inlineKey(event)];
    if (step) edits[at + step]?.focus();
    else if (event.key === "Delete" || event.key === "Backspace") remove(JSON.parse(event.target.dataset.path));
    else return;
    event.preventDefault();
  }

  state.show((values) => {
    // The query of a link is shown, but not changed before the user has accepted or declined it.
    const isOffered = values.offered !== null;
    tools.hidden = values.className === null || isOffered;
    const query = isOffered ? values.offered.where : presentWhere();
    chips.hidden = values.className === null || query === null;
    chips.inert = isOffered;
    const stamp = JSON.stringify([values.className, query, isOffered, types()]);
    fillWhenChanged(chips, stamp, () => query !== null && [groupParts(fromWhere(query, types()), []), filterButtons()]);
    if (tools.hidden) return closeQuery();
    const shown = presentWhere();
    where.show(shown, values.lists.get(values.className), values.className);
    savedButton.hidden = saved.of(values.className).length === 0;
  });
  return {
    tools,
    chips,
    query: where.node,
    /** A filter as a sentence. */
    textOf: (query) => filterText(fromWhere(query, types()), types()),
  };

  function closeQuery() {
    where.node.hidden = true;
    whereButton.setAttribute("aria-expanded", "false");
  }

  function filterButtons() {
    return [
      button(t("Save filter"), openSaved, { className: "button-small button-quiet", focus: "filter save" }),
      button(t("Clear filter"), () => remove([]), { className: "button-small button-quiet", focus: "filter clear" }),
    ];
  }

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
    return el("div", { class: "chip-group", role: "group", "aria-label": label }, groupParts(group, path), removeButton(t("the group"), path));
  }

  function matchChoice(group, path) {
    const change = () => setFilter(withReplaced(present(), path, { ...group, match: control.value }));
    const control = el(
      "select",
      { class: "chip-match", "aria-label": t("Objects must match"), data: { focus: `filter match ${path}` }, on: { change } },
      matches.map((match) => el("option", { value: match }, matchWords[match])),
    );
    control.value = group.match;
    return control;
  }

  function chip(item, path) {
    const edit$ = el(
      "button",
      {
        class: "chip-edit",
        type: "button",
        title: t("Enter edits, Delete removes"),
        dir: "auto",
        data: { path: JSON.stringify(path), focus: `filter ${path}` },
        on: { click: () => edit(path) },
      },
      item.where ? el("span", { class: "chip-raw" }, JSON.stringify(item.where)) : chipWords(item),
    );
    return el("div", { class: "chip" }, edit$, removeButton(conditionText(item, types()), path));
  }

  function chipWords(condition) {
    const { field, words, value, pointers } = conditionParts(condition, types());
    return [
      field && el("span", { class: "chip-field" }, field),
      el("span", { class: "chip-operator" }, ` ${words} `),
      value && el("bdi", { class: "chip-value" }, value),
      pointers.map((pointer, index) => [index > 0 ? ", " : " ", pointerLabel(pointer)]),
    ];
  }

  function removeButton(words, path) {
    return iconButton(t("Remove {words}", { words }), "close", () => remove(path), { focus: `filter remove ${path}` });
  }
}
