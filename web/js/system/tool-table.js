// The tables of the tools.

import { el } from "../dom.js";

/**
 * @param columns the columns: {words, kind}. The kind "name" makes the cell the heading of its row, "number" and "actions" align it, "value"
 *   makes its column wider.
 * @param rows {name, cells}: the nodes or texts of each row, and its name for tests and the focus
 */
export function toolTable(label, columns, rows) {
  const cell = (content, { words, kind }) =>
    kind === "name"
      ? el("th", { scope: "row" }, content)
      : el("td", { class: kind ? `cell-${kind}` : null, data: kind === "actions" ? {} : { label: words } }, content);
  return el(
    "table",
    { class: "tool-table", "aria-label": label },
    el("thead", {}, el("tr", {}, columns.map(({ words, kind }) => el("th", { scope: "col", class: kind ? `cell-${kind}` : null }, words)))),
    el("tbody", {}, rows.map(({ name, cells }) => el("tr", { data: { name } }, cells.map((content, at) => cell(content, columns[at]))))),
  );
}
