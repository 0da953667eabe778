// The columns of a wide table that have cells: the first column, which stays in view, and those near the visible part of the table.

import { el } from "../dom.js";

/** The number of columns from which only the columns near the visible ones have cells. */
const windowedFrom = 24;
/** Cells are added and removed for this number of columns at once, so that scrolling sideways rarely builds the rows again. */
const stepSize = 8;

/**
 * The numbers of the first and the last column with cells, besides the column 0: {first, last}.
 *
 * @param left how far the table is scrolled sideways, in CSS pixels
 * @param width the width of the visible part beside the first column
 */
export function columnWindow(columns, left, width) {
  const end = columns.length - 1;
  if (columns.length < windowedFrom) return { first: 1, last: end };
  let first = end;
  let last = 1;
  let start = 0;
  for (let at = 1; at <= end; at += 1) {
    const stop = start + columns[at].width;
    if (stop > left && start < left + width) {
      first = Math.min(first, at);
      last = Math.max(last, at);
    }
    start = stop;
  }
  return {
    first: Math.max(1, Math.floor((first - 1) / stepSize) * stepSize),
    last: Math.min(end, Math.ceil((last + 1) / stepSize) * stepSize),
  };
}

/** How far the start of a column is from the end of the first column, in CSS pixels. */
export function columnStart(columns, column) {
  return columns.slice(1, column).reduce((sum, { width }) => sum + width, 0);
}

/** The cells of a row: one for each column of the window, and one in place of the columns before it and after it. */
export function cellsInWindow(columns, { first, last }, build) {
  const numbered = (column, at) => {
    const cell = build(column, at);
    cell.setAttribute("aria-colindex", String(at + 2));
    return cell;
  };
  return [
    numbered(columns[0], 0),
    ...gap(first - 1),
    ...columns.slice(first, last + 1).map((column, at) => numbered(column, first + at)),
    ...gap(columns.length - 1 - last),
  ];
}

function gap(count) {
  return count > 0 ? [el("td", { class: "cell-gap", colspan: String(count), "aria-hidden": "true" })] : [];
}

/** The cell of a column in a row; undefined if the column has no cell there. */
export function cellIn(row, column) {
  return row && [...row.children].find((cell) => columnOf(cell) === column);
}

/** The number of a cell's column. The check box of a row is in the column -1. */
export function columnOf(cell) {
  return Number(cell.getAttribute("aria-colindex")) - 2;
}
