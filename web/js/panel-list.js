// A list of entries in the details panel, one page at a time, with the buttons that decide all entries.

import { entryKey } from "./authors.js";
import { button, countLabel, visuallyHidden } from "./buttons.js";
import { el, fillWhenChanged, reconcile } from "./dom.js";

/** The number of entries per page. */
const pageSize = 50;
/** The buttons that decide all entries of a list, as [label, decision]. */
const allOf = {
  conflicts: [["Keep mine for all", "mine"], ["Keep theirs for all", "theirs"]],
  rejections: [["Send all again", "again"], ["Discard all", "discard"]],
  removals: [["Keep mine for all", "keep"], ["Keep theirs for all", "confirm"]],
};
const number = (value) => value.toLocaleString("en");

/**
 * @param names {nameOf, namesOf}: the names of an entry's objects
 * @param decideAll `(list, decision)`: opens the dialog that decides many entries
 * @param redraw draws the panel again
 */
export function createPanelLists({ nameOf, namesOf }, decideAll, redraw) {
  /** The number of the shown page of each list. */
  const pages = new Map();

  /**
   * @param list {key, title, items, total, entry, mayDecide}: `total` is the number of entries that the gateway has. The gateway lists
   *   at most 1,000.
   */
  function draw(node, { key, title, items, total, entry, mayDecide = true }) {
    const [head, all, body] = node.children;
    fillWhenChanged(head, `${total}`, () => [title, total > 0 && countLabel(total)]);
    const buttons = mayDecide && items.length > 1 ? (allOf[key] ?? []) : [];
    all.hidden = buttons.length === 0;
    fillWhenChanged(all, JSON.stringify(buttons), () =>
      buttons.map(([label, decision]) =>
        button([label, visuallyHidden(` (${title})`)], () => decideAll(key, decision), { className: "button-small", focus: `${key} ${decision}` }),
      ),
    );
    const count = Math.max(1, Math.ceil(items.length / pageSize));
    const page = Math.min(pages.get(key) ?? 0, count - 1);
    const shown = items.slice(page * pageSize, (page + 1) * pageSize).map((item) => ({ item, key: entryKey(item) }));
    if (items.length === 0) shown.push({ key: "none", words: "No pending changes." });
    if (count > 1) shown.push({ key: "pager", pager: { page, count, length: items.length } });
    if (total > items.length && items.length > 0) shown.push({ key: "unlisted", words: `The gateway lists ${number(items.length)} of ${number(total)}.` });
    reconcile(body, shown, {
      key: ({ key }) => key,
      stamp: ({ item, words, pager }) => words ?? JSON.stringify(pager ?? [item, nameOf(item), item.objectIds && namesOf(item)]),
      build: ({ item, words, pager }) => (item ? entry(item) : pager ? pagerOf(key, title, pager) : el("p", { class: "panel-none" }, words)),
    });
  }

  function pagerOf(key, title, { page, count, length }) {
    const step = (words, target) => {
      const isPossible = target >= 0 && target < count;
      const go = () => {
        if (!isPossible) return;
        pages.set(key, target);
        redraw();
      };
      const control = button([words, visuallyHidden(` page of ${title}`)], go, { className: "button-small button-quiet", focus: `${key} ${words}` });
      // A disabled button would lose the focus.
      control.setAttribute("aria-disabled", String(!isPossible));
      return control;
    };
    const last = Math.min(length, (page + 1) * pageSize);
    return el("div", { class: "panel-pager" }, el("span", {}, `${number(page * pageSize + 1)}–${number(last)} of ${number(length)}`), step("Previous", page - 1), step("Next", page + 1));
  }

  return {
    draw,
    /** Shows the page of a list that has an entry. */
    showPageOf(key, items, isWanted) {
      const at = items.findIndex(isWanted);
      if (at >= 0) pages.set(key, Math.floor(at / pageSize));
    },
  };
}
