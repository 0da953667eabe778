// Changes the selection: single rows, ranges of rows, and all rows. A range goes from the anchor, the row that was selected last.

import { createKeptSelections } from "./kept-selections.js";
import { allIn, isSelected, listName, noneOf, renamed, selectedCount, selectionOf, selectionText, toggled, withSelected } from "./selection.js";
import { idsBetween } from "./row-range.js";
import { indexOf, rowAt } from "../grid/row-window.js";
import { isFiltered, isSearching } from "../lists.js";
import { t } from "../texts.js";

/** The pause in milliseconds after which the number of selected objects is announced. */
const announceMs = 300;

export function createSelecting({ api, state, notices }) {
  /** The row at which a range begins: {index, objectId}. */
  let anchor = null;
  /** The selection without the range. */
  let before = null;
  /** The row to which the range goes. */
  let reached = null;
  /** The number of the latest change. A range that is still being read when another change is made selects nothing. */
  let latest = 0;
  let announcing = null;
  const kept = createKeptSelections();
  /** The selected objects of other classes that the remote did not know yet: a map from class name to ids. */
  const unsent = new Map();
  /** Whether the page shows a selection again that is not announced yet. */
  let isBack = false;

  const current = () => selectionOf(state.values);
  const shownList = () => state.values.lists.get(state.values.className);

  function take(selection) {
    const isEmpty = !selection.isAll && selection.ids.size === 0;
    const taken = isEmpty ? null : selection;
    kept.keep(state.values.className, taken);
    state.update({ selection: taken });
    clearTimeout(announcing);
    announcing = setTimeout(() => notices.announce(wordsFor(state.values)), announceMs);
  }

  function anchorAt(index) {
    anchor = { index, objectId: rowAt(shownList(), index)?.objectId };
    before = current();
  }

  /** Selects the rows from the anchor to a row. */
  async function selectRange(to) {
    const list = shownList();
    const number = ++latest;
    reached = to;
    const moved = indexOf(list, anchor.objectId);
    const from = moved < 0 ? anchor.index : moved;
    const ids = idsBetween(api, state.values.className, list, Math.min(from, to), Math.max(from, to));
    // Loaded rows are selected at once.
    if (Array.isArray(ids)) return take(withSelected(before, ids));
    try {
      const read = await ids;
      if (number === latest && before.list === current().list) take(withSelected(before, read));
    } catch (error) {
      notices.warn(t("The range was not selected. {message}", { message: error.message }));
    }
  }

  function clear() {
    latest += 1;
    anchor = null;
    reached = null;
    if (state.values.selection !== null) take(noneOf(current().list));
  }

  let shown = [];
  let shownClass = null;
  state.show((values) => {
    const { selection, className, lists } = values;
    const name = listName(values);
    if (selection !== null && selection.list !== name) return leave(selection);
    if (name === null) return;
    const again = selection === null ? kept.of(className, name) : null;
    if (again !== null) return comeBack(className, again);
    kept.keep(className, selection);
    if (selection === null) return (shown = []);
    const list = lists.get(className);
    const rows = list?.objects ?? [];
    if (rows !== shown && className === shownClass) followIds(className, shown, rows);
    shown = rows;
    shownClass = className;
    if (!isBack || list?.phase !== "ready" || isSearching(values, list)) return;
    isBack = false;
    notices.announce(wordsFor(values));
  });

  /** Ends the shown selection, because the page shows another list. */
  function leave(selection) {
    clearTimeout(announcing);
    anchor = null;
    reached = null;
    isBack = false;
    const isUnsent = ({ objectId, _sync }) => _sync?.state === "created" && (selection.ids.has(objectId) || selection.except.has(objectId));
    unsent.set(shownClass, shown.filter(isUnsent).map(({ objectId }) => objectId));
    shown = [];
    state.update({ selection: null });
  }

  /** Shows the selection of a class again. */
  function comeBack(className, selection) {
    isBack = true;
    state.update({ selection });
    for (const objectId of unsent.get(className) ?? []) followId(className, objectId);
    unsent.delete(className);
  }

  /** Finds the final ids of selected objects whose rows have gone after their create was pushed. */
  function followIds(className, rows, fresh) {
    const ids = new Set(fresh.map(({ objectId }) => objectId));
    for (const { objectId, _sync } of rows) {
      const isNamed = state.values.selection.ids.has(objectId) || state.values.selection.except.has(objectId);
      if (!isNamed || _sync?.state !== "created" || ids.has(objectId)) continue;
      followId(className, objectId);
    }
  }

  async function followId(className, from) {
    // An object that was deleted has no other id.
    const { objectId } = await api.read(className, from).catch(() => ({ objectId: from }));
    if (objectId === from || state.values.selection === null) return;
    state.update({ selection: renamed(state.values.selection, from, objectId) });
    if (before !== null) before = renamed(before, from, objectId);
    if (anchor?.objectId === from) anchor = { ...anchor, objectId };
  }

  return {
    isSelected: (objectId) => isSelected(current(), objectId),
    /** Selects a row, or takes it out of the selection. */
    toggle(index) {
      const object = rowAt(shownList(), index);
      if (object === null) return;
      latest += 1;
      take(toggled(current(), object.objectId));
      anchorAt(index);
      reached = null;
    },
    /** Selects the rows from the row that was selected last. */
    extendTo(index) {
      if (anchor === null) anchorAt(index);
      return selectRange(index);
    },
    /** Selects the rows between two rows, and continues the range that ends at the first one. */
    extendBy(from, to) {
      if (reached !== from || anchor === null) anchorAt(from);
      return selectRange(to);
    },
    /** Selects all objects of the list, or none if all are selected. */
    toggleAll() {
      const { isAll, except } = current();
      if (isAll && except.size === 0) clear();
      else this.selectAll();
    },
    selectAll() {
      latest += 1;
      anchor = null;
      take(allIn(current().list));
    },
    /** Takes objects out of the selection, because they are deleted. */
    drop(objectIds) {
      const gone = new Set(objectIds);
      const selection = current();
      if (!selection.isAll) take({ ...selection, ids: new Set([...selection.ids].filter((id) => !gone.has(id))) });
    },
    clear,
    /** Ends the selections of all classes. */
    forgetAll() {
      kept.forgetAll();
      clear();
    },
  };
}

/** The selection of the shown list as text. */
export function wordsFor(values) {
  const selection = selectionOf(values);
  const total = values.lists.get(values.className)?.total ?? 0;
  if (selectedCount(selection, total) === 0) return t("Nothing is selected.");
  return `${selectionText(selection, { total, isNarrowed: values.search.trim() !== "" || isFiltered(values) })}.`;
}
