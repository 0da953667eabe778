// The dialog that chooses the columns of a table and their order.

import { allColumns, moved, standardColumns } from "./columns.js";
import { button, iconButton } from "../buttons.js";
import { openDialog } from "../dialog.js";
import { el, reconcile } from "../dom.js";
import { t } from "../texts.js";

/** The number of columns from which the dialog has a search field. */
const searchFrom = 12;

/**
 * @param shown the names of the shown columns in their order
 * @param choose `(names)`: shows other columns; null shows the standard columns
 */
export function openColumnDialog({ types, shown, choose }) {
  const all = allColumns(types);
  let chosen = shown;
  const search = el("input", { class: "input", type: "search", placeholder: t("Find a column"), "aria-label": t("Find a column"), on: { input: draw } });
  search.hidden = all.length < searchFrom;
  const list = el("ol", { class: "column-list" });
  const count = el("p", { class: "hint", role: "status" });
  const frame = openDialog({
    title: t("Columns"),
    className: "dialog-columns",
    content: el(
      "div",
      { class: "object-form" },
      el("div", { class: "form-rows" }, search, count, list),
      el(
        "div",
        { class: "dialog-actions" },
        button(t("Standard columns"), () => take(standardColumns(types), null), { className: "button-quiet" }),
        button(t("Done"), () => frame.close(), { className: "button-primary" }),
      ),
    ),
  });
  draw();

  function take(names, choice = names) {
    chosen = names;
    choose(choice);
    draw();
  }

  function draw() {
    const wanted = search.value.trim().toLowerCase();
    const names = [...chosen, ...all.filter((name) => !chosen.includes(name))].filter((name) => name.toLowerCase().includes(wanted));
    count.textContent = t("{shown} of {all} shown, in this order.", { shown: chosen.length, all: all.length });
    reconcile(list, names, {
      key: (name) => name,
      stamp: (name) => `${chosen.includes(name)} ${chosen.indexOf(name) === 0} ${chosen.at(-1) === name} ${chosen.length}`,
      build: row,
    });
  }

  function row(name) {
    const isShown = chosen.includes(name);
    const box = el("input", { type: "checkbox", data: { focus: `show ${name}` }, on: { change: () => toggle(name) } });
    box.checked = isShown;
    // A table has at least one column.
    box.disabled = isShown && chosen.length === 1;
    const move = (label, iconName, by, isPossible) => {
      const control = iconButton(label, iconName, () => take(moved(chosen, name, by)), { focus: `${iconName} ${name}` });
      control.disabled = !isPossible;
      return control;
    };
    const buttons = isShown && [move(t("Move {name} up", { name }), "sortUp", -1, chosen[0] !== name), move(t("Move {name} down", { name }), "sortDown", 1, chosen.at(-1) !== name)];
    const label = el("label", { class: "check-row" }, box, el("span", {}, name));
    return el("li", { class: "column-row" }, label, el("span", { class: "column-moves" }, buttons));
  }

  function toggle(name) {
    take(chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name]);
  }
}
