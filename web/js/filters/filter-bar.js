// The filter above a list: the row of chips, and the buttons for saved filters and the query.

import { button } from "../buttons.js";
import { openConditionForm } from "./condition-form.js";
import { filterText } from "./condition-text.js";
import { el } from "../dom.js";
import { createFilterChips } from "./filter-chips.js";
import { fromWhere, queriedClasses, toWhere } from "./filter-where.js";
import { openSavedFilters } from "./saved-filters-form.js";
import { tableOf } from "../tables.js";
import { t } from "../texts.js";
import { createWhereEditor } from "./where-editor.js";

/**
 * @param services the gateway functions that editors use
 * @param saved the stored filters
 * @param captionOf `(pointer)`: the caption of an object
 * @returns {tools, chips, query}: the buttons, the row of chips, and the form of the query
 */
export function createFilterBar({ state, gateway, services, saved, notices, captionOf }) {
  const where = createWhereEditor({ apply: setWhere });
  const whereButton = button(t("Query"), toggleWhere, { className: "button-small button-quiet", focus: "filter query" });
  whereButton.setAttribute("aria-expanded", "false");
  whereButton.setAttribute("aria-controls", where.node.id);
  const savedButton = button(t("Saved filters"), openSaved, { className: "button-small button-quiet", focus: "filter saved" });
  // The button stays in its place when the first chip appears.
  const addButton = button(t("Add filter"), () => chips.add([]), { className: "button-small chip-add", focus: "filter add" });
  const tools = el("div", { class: "filter-tools" }, addButton, whereButton, savedButton);

  const learned = new Set();
  /** Whether the form of a condition waits for the fields of its class. */
  let isOpening = false;

  const className = () => state.values.className;
  const typesOf = (name) => state.values.types.get(name) ?? {};
  const types = () => typesOf(className());
  const presentWhere = () => tableOf(state.values, className()).where;
  const chips = createFilterChips({
    label: t("Filter"),
    addButton,
    present: () => fromWhere(presentWhere(), types()),
    change: (filter) => setWhere(toWhere(filter)),
    types,
    typesOf,
    captionOf,
    openCondition,
    openRaw() {
      if (where.node.hidden) toggleWhere();
      where.focus();
    },
  });

  /** Opens the form of a condition as soon as the fields of the class are known, which may be before its first rows are. */
  async function openCondition(form) {
    const shown = className();
    if (isOpening) return;
    isOpening = true;
    const known = await services.fieldTypes(shown);
    isOpening = false;
    if (className() === shown) openConditionForm({ className: shown, types: known, services: { ...services, captionOf }, ...form });
  }

  function setWhere(next) {
    return gateway.changeTable(className(), { where: next, at: 0 });
  }

  /** Reads the field types of a class, which the chips of conditions on its objects need. */
  function learnTypes(name) {
    if (learned.has(name)) return;
    learned.add(name);
    services.fieldTypes(name);
  }

  function toggleWhere() {
    where.node.hidden = !where.node.hidden;
    whereButton.setAttribute("aria-expanded", String(!where.node.hidden));
    if (!where.node.hidden) where.focus();
  }

  function openSaved() {
    openSavedFilters({ saved, className: className(), where: presentWhere(), textOf, notices, apply: setWhere });
  }

  state.show((values) => {
    // The query of a link is shown, but not changed before the user has accepted or declined it.
    const isOffered = values.offered !== null;
    tools.hidden = values.className === null || isOffered;
    const query = isOffered ? values.offered.where : presentWhere();
    chips.node.hidden = values.className === null || query === null;
    chips.node.inert = isOffered;
    // The chips of conditions on the objects of pointers have captions in their texts.
    const words = query === null ? "" : textOf(query);
    const stamp = JSON.stringify([values.className, query, words, isOffered, types(), [...values.types.keys()]]);
    chips.show(query === null ? null : fromWhere(query, types()), filterButtons, stamp);
    if (tools.hidden) return closeQuery();
    for (const name of queriedClasses(query)) learnTypes(name);
    const shown = presentWhere();
    where.show(shown, values.lists.get(values.className), values.className);
    savedButton.hidden = saved.of(values.className).length === 0;
  });
  return {
    tools,
    chips: chips.node,
    query: where.node,
    /** A filter as a sentence. */
    textOf,
  };

  function textOf(query) {
    return filterText(fromWhere(query, types()), types(), typesOf, captionOf);
  }

  function closeQuery() {
    where.node.hidden = true;
    whereButton.setAttribute("aria-expanded", "false");
  }

  function filterButtons() {
    return [
      button(t("Save filter"), openSaved, { className: "button-small button-quiet", focus: "filter save" }),
      button(t("Clear filter"), () => chips.remove([]), { className: "button-small button-quiet", focus: "filter clear" }),
    ];
  }
}
