// A list of entries in the details panel, one page at a time, with the buttons that decide all entries.

import { entryKey } from "./authors.js";
import { button, countLabel, visuallyHidden } from "./buttons.js";
import { el, fillWhenChanged, reconcile } from "./dom.js";
import { entriesMax } from "./entries.js";
import { numberText, t } from "./texts.js";

/** The number of entries per page. */
const pageSize = 50;
/** The buttons that decide all entries of a list, as [label, decision]. */
const allOf = {
  conflicts: [[t("Keep mine for all"), "mine"], [t("Keep theirs for all"), "theirs"]],
  rejections: [[t("Send all again"), "again"], [t("Discard all"), "discard"]],
  removals: [[t("Keep mine for all"), "keep"], [t("Keep theirs for all"), "confirm"]],
};

/**
 * @param names {nameOf, namesOf}: the names of an entry's objects
 * @param decideAll `(list, decision)`: opens the dialog that decides many entries
 * @param listMore `(list)`: reads more entries of a list
 * @param redraw draws the panel again
 */
export function createPanelLists({ nameOf, namesOf }, { decideAll, listMore, redraw }) {
  /** The number of the shown page of each list. */
  const pages = new Map();

  /**
   * @param list {key, title, items, total, entry, mayDecide}: `total` is the number of entries that the gateway has. The page
   *   reads a part of a long list at a time.
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
    if (items.length === 0) shown.push({ key: "none", words: total > 0 ? t("The list is being read.") : t("No pending changes.") });
    if (count > 1) shown.push({ key: "pager", pager: { page, count, length: items.length } });
    if (total > items.length && items.length > 0) shown.push({ key: "unlisted", listed: [items.length, total] });
    reconcile(body, shown, {
      key: ({ key }) => key,
      stamp: ({ item, words, pager, listed }) => words ?? JSON.stringify(pager ?? listed ?? [item, nameOf(item), item.objectIds && namesOf(item)]),
      build({ item, words, pager, listed }) {
        if (item) return entry(item);
        if (pager) return pagerOf(key, title, pager);
        return listed ? unlisted(key, title, listed) : el("p", { class: "panel-none" }, words);
      },
    });
  }

  /** The line below a list whose end is not read. */
  function unlisted(key, title, [count, total]) {
    const more = numberText(Math.min(entriesMax, total - count));
    return el(
      "div",
      { class: "panel-pager" },
      el("span", {}, t("{count} of {total} are listed.", { count: numberText(count), total: numberText(total) })),
      button([t("List {more} more", { more }), visuallyHidden(` (${title})`)], () => listMore(key), { className: "button-small button-quiet", focus: `${key} more` }),
    );
  }

  function pagerOf(key, title, { page, count, length }) {
    const step = (words, target) => {
      const isPossible = target >= 0 && target < count;
      const go = () => {
        if (!isPossible) return;
        pages.set(key, target);
        redraw();
      };
      const control = button([words, visuallyHidden(t(" page of {title}", { title }))], go, { className: "button-small button-quiet", focus: `${key} ${words}` });
      // A disabled button would lose the focus.
      control.setAttribute("aria-disabled", String(!isPossible));
      return control;
    };
    const last = Math.min(length, (page + 1) * pageSize);
    return el("div", { class: "panel-pager" }, el("span", {}, t("{first}–{last} of {total}", { first: numberText(page * pageSize + 1), last: numberText(last), total: numberText(length) })), step(t("Previous"), page - 1), step(t("Next"), page + 1));
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
