// The rows of the shown list, as the pane of an object goes through them: the previous and the next object, also beyond the loaded
// rows, and the row of an object.

import { shownGrid } from "./class-table.js";
import { allOf } from "./filters/filter.js";
import { fullOrder, keysetConditions, reversedOrder } from "./grid/keyset.js";
import { indexOf, rowAt } from "./grid/row-window.js";

export function createShownRows({ api, state, gateway }) {
  const gridNow = () => shownGrid(document.querySelector(".view-body"));
  const entries = () => [...document.querySelectorAll("#main [data-object]")];

  /** The list of a class, if the page shows it; null otherwise. */
  function listOf(className) {
    const list = state.values.lists.get(className);
    return className === state.values.className && list?.phase === "ready" ? list : null;
  }

  /** Resolves to the row beside a row of a table; null at the end of the table. Passes over objects that are no longer there. */
  async function besideRow(className, at, step) {
    for (let wanted = at + step; ; wanted += step) {
      const list = listOf(className);
      if (list === null || wanted < 0 || wanted >= list.total) return null;
      if (rowAt(list, wanted) === null) await gateway.needRows(className, wanted, wanted);
      const row = rowAt(listOf(className) ?? list, wanted);
      if (!list.gone?.has(row?.objectId)) return row;
    }
  }

  /** The conditions for the rows of the list before an object, or after it; none if the order cannot tell them. */
  function conditionsFor({ order, conditions }, object, isBefore) {
    return (keysetConditions(object, order, isBefore) ?? []).map((condition) => allOf(condition, conditions));
  }

  /** Resolves to the object beside an object that is not loaded with the list, by the order of the list. */
  async function besideObject(className, list, object, step) {
    const isBefore = step < 0;
    const order = isBefore ? reversedOrder(list.order) : fullOrder(list.order);
    for (const where of conditionsFor(list, object, isBefore)) {
      const [found] = await api.find(className, { where, order, limit: 1 });
      if (found) return found;
    }
    return null;
  }

  /** Resolves to the entry beside an object in a view with entries; null at the end. An almanac first shows more objects if it has more. */
  async function besideEntry(className, { objectId }, step) {
    const ids = entries().map(({ dataset }) => dataset.object);
    const at = ids.indexOf(objectId);
    const side = step < 0 ? "earlier" : "later";
    const list = listOf(className);
    if (at >= 0 && ids[at + step] === undefined && list?.hidden?.[side] > 0) {
      await gateway.showMore(className, side);
      return (listOf(className)?.hidden[side] ?? Infinity) < list.hidden[side] ? besideEntry(className, { objectId }, step) : null;
    }
    const wanted = at < 0 ? undefined : ids[at + step];
    return list?.objects.find((object) => object.objectId === wanted) ?? null;
  }

  /** The number of the row of an object; -1 if it is not loaded. Null if the class is not shown as a table. */
  function loadedAt(className, objectId) {
    const list = listOf(className);
    return list?.chunks ? indexOf(list, objectId) : null;
  }

  return {
    /**
     * Resolves to the object in the row before an object, or after it; null if there is none.
     *
     * @param step -1 for the previous object, 1 for the next one
     */
    async beside(className, object, step) {
      const list = listOf(className);
      if (list === null) return null;
      if (list.chunks) {
        const at = loadedAt(className, object.objectId);
        return at < 0 ? besideObject(className, list, object, step) : besideRow(className, at, step);
      }
      return besideEntry(className, object, step);
    },
    /** Whether an object is known to be the first row, or the last one. */
    isAtEnd(className, { objectId }, step) {
      const list = listOf(className);
      if (list === null) return true;
      const at = loadedAt(className, objectId);
      if (at === null || at < 0) return false;
      return step < 0 ? at === 0 : at === list.total - 1;
    },
    /** Scrolls to the row of an object, and moves the cursor of the table to it. Counts the rows before an object that is not loaded. */
    async show(className, object) {
      const at = loadedAt(className, object.objectId);
      if (at === null) return entries().find(({ dataset }) => dataset.object === object.objectId)?.scrollIntoView({ block: "nearest" });
      if (at >= 0) return gridNow()?.showRow(at);
      const before = conditionsFor(listOf(className), object, true);
      if (before.length === 0) return;
      const counts = await Promise.all(before.map((where) => api.count(className, where)));
      gridNow()?.showRow(counts.reduce((sum, count) => sum + count, 0));
    },
    /**
     * Moves the focus to the row of an object. The focus goes to the table or, in another view, to the control with a name, to the
     * entry, or to the main view.
     */
    focus(className, objectId, name) {
      const grid = gridNow();
      if (grid === null) {
        const named = [...document.querySelectorAll("#main [data-focus]")].find(({ dataset }) => dataset.focus === name);
        const entry = entries().find(({ dataset }) => dataset.object === objectId);
        return (named ?? entry ?? document.getElementById("main")).focus({ preventScroll: true });
      }
      const at = loadedAt(className, objectId);
      if (at !== null && at >= 0) grid.showRow(at);
      grid.focus();
    },
    /**
     * Moves the focus to the table or, in another view, to the entry whose object is open, or to the first entry. Without a list, the
     * focus goes to the main view.
     */
    focusList() {
      const all = entries();
      const list = state.values.tool === null ? gridNow() ?? all.find(({ ariaCurrent }) => ariaCurrent === "true") ?? all[0] : null;
      (list ?? document.getElementById("main")).focus();
    },
  };
}
