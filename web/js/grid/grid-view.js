// The table of a class: one line for each object. Only the rows near the visible part of the table are in the document.

import { cellIn, columnWindow } from "./column-window.js";
import { createCellKeys, rowHeight } from "./cell-keys.js";
import { createGridFoot } from "./grid-foot.js";
import { drawHead } from "./grid-head.js";
import { bodyRow, rowStamp } from "./grid-rows.js";
import { rowAt } from "./row-window.js";
import { drawAllSelected, drawSelected } from "./select-keys.js";
import { sideways } from "../direction.js";
import { el, fill, reconcile } from "../dom.js";

/** The number of rows above and below the visible rows that are in the document. */
const spareRows = 6;
/** The pause in fast scrolling, in milliseconds, after which the rows are read. */
const passMs = 80;
/** The pause in scrolling, in milliseconds, after which the place in the list is written into the address. */
const restMs = 300;

export function createGrid() {
  const columnGroup = el("colgroup");
  const head = el("thead");
  const body = el("tbody");
  const table = el("table", { class: "grid", role: "grid", tabindex: "0", "aria-multiselectable": "true" }, columnGroup, head, body);
  const space = el("div", { class: "grid-space" }, table);
  const frame = el("div", { class: "grid-frame" }, space);
  const foot = createGridFoot({ goToRow: (index) => scrollToRow(index, true) });
  const bar = el("div", { class: "grid-bar" });
  const node = el("div", { class: "grid-view" }, el("div", { class: "grid-place" }, frame, foot.heldButton), bar, foot.node);
  let context = null;
  let resting = null;
  let passing = null;
  /** The first visible row when the rows were drawn last. */
  let drawnFrom = 0;
  let isDrawing = false;
  /** The list that was drawn last. Another list starts at the place that the address names. */
  let listKey = null;
  /** The first visible row that the address names, as far as the table knows it. */
  let placed = 0;
  let isPointed = false;
  const keys = createCellKeys({ table, frame, scrollToRow, visibleCount, redraw: drawRows, context: () => context, cellAt });

  frame.addEventListener("scroll", () => {
    if (isDrawing) return;
    isDrawing = true;
    requestAnimationFrame(() => {
      isDrawing = false;
      drawRows();
    });
  });
  body.addEventListener("pointermove", () => (isPointed = true));
  body.addEventListener("pointerleave", () => (isPointed = false));
  let height = 0;
  new ResizeObserver(() => {
    if (!context) return;
    keys.keepInView(height);
    height = frame.clientHeight;
    drawRows();
  }).observe(frame);

  function visibleCount() {
    return Math.max(1, Math.floor((frame.clientHeight - rowHeight) / rowHeight));
  }

  function firstVisible() {
    return Math.round(frame.scrollTop / rowHeight);
  }

  /** @param isTop whether the row becomes the first visible row; otherwise the table scrolls only if the row is not visible */
  function scrollToRow(index, isTop = false) {
    const top = index * rowHeight;
    const bottom = top + 2 * rowHeight;
    if (isTop || top < frame.scrollTop) frame.scrollTop = top;
    else if (bottom > frame.scrollTop + frame.clientHeight) frame.scrollTop = bottom - frame.clientHeight;
    drawRows();
  }

  /** Draws the head and the rows anew for the columns that are visible now. */
  function drawWindow() {
    const [box = 0, first = 0] = [...(head.firstElementChild?.children ?? [])].map(({ offsetWidth }) => offsetWidth);
    // On a phone, the check boxes scroll away with the columns.
    const span = columnWindow(context.columns, frame.scrollLeft * sideways() - box, frame.clientWidth - first + box);
    context = { ...context, span };
    drawHead(head, context, keys.focusColumn);
    drawAllSelected(head, context);
  }

  function drawRows() {
    drawWindow();
    const { list, need, rest } = context;
    const from = firstVisible();
    const to = Math.min(list.total, from + visibleCount() + 1);
    const first = Math.max(0, Math.min(from, list.total) - spareRows);
    const last = Math.min(list.total, to + spareRows);
    const items = Array.from({ length: last - first }, (_, at) => ({ index: first + at, object: rowAt(list, first + at) }));
    table.style.marginTop = `${first * rowHeight}px`;
    reconcile(body, items, {
      key: ({ index }) => index,
      stamp: (item) => keys.frozenStamp(item) ?? rowStamp(item, context),
      build: (item) => bodyRow(item, context),
      update: (row, item) => drawSelected(row, item, context),
    });
    keys.drawCursor();
    foot.drawRange(from, Math.min(to, list.total), list.total);
    // Rows that fast scrolling passes are not read.
    const isPassing = Math.abs(from - drawnFrom) > visibleCount();
    drawnFrom = from;
    clearTimeout(passing);
    if (isPassing) passing = setTimeout(() => node.isConnected && drawRows(), passMs);
    else need(first, last);
    clearTimeout(resting);
    resting = setTimeout(() => {
      if (!node.isConnected || from === placed) return;
      placed = from;
      rest(from);
    }, restMs);
  }

  /** The cell in a row and a column; undefined if the row is not in the document. Row -1 is the head. */
  function cellAt({ row, column }) {
    if (row === -1) return cellIn(head.firstElementChild, column);
    const first = Number(body.firstElementChild?.getAttribute("aria-rowindex")) - 2;
    return cellIn(body.children[row - first], column);
  }

  function drawColumns({ columns, className, list }) {
    const widths = columns.map(({ width }) => width);
    fill(columnGroup, ["select", ...widths, null].map((width, at) => {
      const column = el("col");
      if (width === "select") column.style.width = "var(--select-width)";
      else if (width !== null) column.style.width = at === 1 ? `min(${width}px, var(--first-width-max))` : `${width}px`;
      return column;
    }));
    table.style.width = `calc(${widths.reduce((sum, width) => sum + width, 0)}px + var(--select-width) + var(--actions-width))`;
    table.setAttribute("aria-label", className);
    table.setAttribute("aria-rowcount", String(list.total + 1));
    table.setAttribute("aria-colcount", String(columns.length + 2));
    space.style.height = `${(list.total + 1) * rowHeight}px`;
  }

  return {
    node,
    /** Whether the rows must stay in their places: the pointer or the cursor is on them, or the table is scrolled. */
    holdsRows: () => node.isConnected && (isPointed || frame.scrollTop > 0 || keys.isInRows() || context.isSavingCell()),
    current: keys.current,
    /** Moves the cursor to a row, and scrolls to it if it is not visible. */
    showRow: keys.goToRow,
    focus: () => table.focus({ preventScroll: true }),
    update(next) {
      context = next;
      drawColumns(next);
      if (bar.firstElementChild !== next.bar) fill(bar, next.bar);
      foot.draw(next);
      const key = JSON.stringify([next.className, next.list.order, next.list.search, next.list.where]);
      if (key !== listKey || next.at !== placed) frame.scrollTop = next.at * rowHeight;
      listKey = key;
      placed = next.at;
      drawRows();
    },
  };
}
