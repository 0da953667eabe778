// The cell cursor of a table, moved by keys and clicks, and the editing of cells in place. The table has the focus; the cell with
// the cursor is its active descendant.

import { openCellEditor } from "./cell-editor.js";
import { columnOf, columnStart } from "./column-window.js";
import { boundedWidth } from "./columns.js";
import { copiedCell, isCopyKey } from "./copy-keys.js";
import { movedCursor, nextCell, withinTable } from "./cursor.js";
import { rowStamp } from "./grid-rows.js";
import { rowAt } from "./row-window.js";
import { clickSelection, pressSelection } from "./select-keys.js";
import { inlineKey, sideways } from "../direction.js";

/** The change of a column's width by Alt and an arrow key, in CSS pixels. */
const widthStep = 24;
/** The width of the column with the buttons in CSS pixels, as in grid.css. */
const actionsWidth = 72;
/** The height of a row in CSS pixels, as in grid.css. */
export const rowHeight = 30;
const cursorId = "grid-cursor";

/** The parts of a keyboard event that move the cursor. */
const keyOf = (event) => ({ key: inlineKey(event), ctrlKey: event.ctrlKey, metaKey: event.metaKey, altKey: event.altKey });

export function createCellKeys({ table, frame, scrollToRow, visibleCount, redraw, context, cellAt }) {
  let cursor = { row: 0, column: 0 };
  let marked = null;
  /** The open editor: {row, stamp, close, commit}; null if no cell is edited. */
  let editing = null;
  /** The link to another object in the cell to which a key has moved the cursor. */
  let pointed = null;

  table.addEventListener("keydown", press);
  table.addEventListener("focus", drawCursor);
  table.addEventListener("blur", () => pointAt(null));
  table.addEventListener("click", (event) => {
    const cell = placeOf(event.target);
    if (cell === null || editing !== null) return;
    moveTo(cell);
    // A check box does not keep the focus, so that the keys of the table go on.
    if (clickSelection(event, cell.row, context())) table.focus({ preventScroll: true });
  });
  table.addEventListener("mousedown", (event) => {
    // A click with Shift selects rows instead of text.
    if (event.shiftKey && editing === null) event.preventDefault();
  });
  table.addEventListener("dblclick", (event) => {
    if (placeOf(event.target)?.row >= 0 && !event.target.closest("button, a, input, select")) edit();
  });

  const size = () => ({ rows: context().list.total, columns: context().columns.length + 1, page: visibleCount() });
  const objectAt = (row) => rowAt(context().list, row);

  /** The cell that contains a node: {row, column}; null outside of the cells. */
  function placeOf(target) {
    const cell = target.closest?.("td, th");
    const row = cell?.closest("tr");
    if (!row || !table.contains(row)) return null;
    return { row: Number(row.getAttribute("aria-rowindex")) - 2, column: columnOf(cell) };
  }

  function moveTo(cell) {
    cursor = withinTable(cell, size());
    if (cursor.row >= 0) scrollToRow(cursor.row);
    scrollToColumn();
    drawCursor();
  }

  /** Scrolls sideways, so that the sticky columns do not cover the cell. */
  function scrollToColumn() {
    const { columns } = context();
    if (cursor.column === 0 || cursor.column >= columns.length) return;
    const [box, first] = table.tHead.rows[0].children;
    const start = columnStart(columns, cursor.column);
    const end = start + columns[cursor.column].width;
    const visible = frame.clientWidth - actionsWidth - box.offsetWidth - first.offsetWidth;
    const before = frame.scrollLeft * sideways();
    if (start < before) frame.scrollLeft = start * sideways();
    else if (end > before + visible) frame.scrollLeft = (end - visible) * sideways();
    if (frame.scrollLeft * sideways() !== before) redraw();
  }

  function drawCursor() {
    cursor = withinTable(cursor, size());
    const cell = cellAt(cursor) ?? null;
    if (marked !== cell) {
      pointAt(null);
      marked?.removeAttribute("id");
      marked?.classList.remove("is-cursor");
      marked?.parentElement?.classList.remove("has-cursor");
      marked = cell;
    }
    marked?.classList.add("is-cursor");
    marked?.parentElement?.classList.add("has-cursor");
    marked?.setAttribute("id", cursorId);
    if (marked) table.setAttribute("aria-activedescendant", cursorId);
    else table.removeAttribute("aria-activedescendant");
  }

  /** Tells that the cursor has come to a link, or has left it, as the focus would. Null stands for no link. */
  function pointAt(link) {
    if (link === pointed) return;
    pointed?.dispatchEvent(new Event("cursorout", { bubbles: true }));
    pointed = link;
    link?.dispatchEvent(new Event("cursorin", { bubbles: true }));
  }

  const linkInCell = () => cellAt(cursor)?.querySelector("a") ?? null;

  function press(event) {
    if (editing !== null || event.target.closest("input, select")) return;
    if (event.altKey && event.key.startsWith("Arrow")) return resize(event);
    const onButton = event.target.closest("button, a");
    if (!onButton && pressSelection(event, cursor.row, context())) return;
    const { row } = cursor;
    const moved = movedCursor(cursor, keyOf(event), size());
    if (moved !== null) {
      event.preventDefault();
      table.focus({ preventScroll: true });
      moveTo(moved);
      if (event.shiftKey && row >= 0 && cursor.row >= 0 && cursor.row !== row) context().selecting.extendBy(row, cursor.row);
      return pointAt(linkInCell());
    }
    if ((event.key === "Enter" || event.key === "F2") && !onButton) {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) linkInCell()?.click();
      else act(event.key === "Enter");
    }
    if (isCopyKey(event)) {
      event.preventDefault();
      copy();
    }
    if (event.key === "z" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      context().undoEdit();
    }
  }

  /** Copies the selected rows, or the cell of the cursor. */
  function copy() {
    const { selectedCount, copyRows, copyText, columns } = context();
    if (selectedCount > 0) return copyRows();
    const text = cursor.row < 0 ? null : copiedCell(objectAt(cursor.row), columns[cursor.column]);
    if (text !== null) copyText(text);
  }

  function resize(event) {
    const column = context().columns[cursor.column];
    const step = { ArrowLeft: -widthStep, ArrowRight: widthStep }[inlineKey(event)];
    if (!column || !step) return;
    event.preventDefault();
    context().setWidth(column.name, boundedWidth(column.width + step));
  }

  /**
   * Sorts by the column, moves the focus to the first button of the row, or edits the cell.
   *
   * @param mayFollow whether an open pane moves to the row of the cursor instead
   */
  function act(mayFollow) {
    const cell = cellAt(cursor);
    const isLast = cursor.column === context().columns.length;
    if (cursor.row === -1) return cell?.querySelector("button")?.click();
    if (isLast) return cell?.querySelector("button")?.focus();
    if (!(mayFollow && context().follow?.(objectAt(cursor.row)))) edit();
  }

  function edit() {
    const object = objectAt(cursor.row);
    const column = context().columns[cursor.column];
    const cell = cellAt(cursor);
    if (object === null || !column || !cell) return;
    const row = cursor.row;
    const editor = openCellEditor({
      cell,
      object,
      column,
      isUtc: context().times === "utc",
      save: (value) => context().editCell(object, column.name, value),
      refuse: (reason) => context().refuseCell(object, column.name, reason),
      done(step) {
        editing = null;
        // The table may be drawing, and may have removed the row of the editor.
        queueMicrotask(redraw);
        if (step === null) return;
        table.focus({ preventScroll: true });
        const next = step === "down" ? withinTable({ ...cursor, row: cursor.row + 1 }, size()) : nextCell(cursor, step === "back", size());
        if (step !== "stay" && next !== null) moveTo(next);
      },
    });
    // A cell that is not edited in place opens the form of its object at the field.
    if (editor === null) return context().openObject(object, column.name);
    editing = { row, stamp: rowStamp({ object }, context()), ...editor };
  }

  /** Scrolls to the cursor if it was in view and the table has become lower, for example by the bar for selected rows. */
  function keepInView(heightBefore) {
    const bottom = (cursor.row + 2) * rowHeight - frame.scrollTop;
    if (cursor.row >= 0 && bottom <= heightBefore && bottom > frame.clientHeight) scrollToRow(cursor.row);
  }

  return {
    drawCursor,
    keepInView,
    /** Whether a cell of a row is edited, or has the cursor while the table has the focus. */
    isInRows: () => editing !== null || (cursor.row >= 0 && document.activeElement === table),
    /** The stamp of a row that is being edited, so that it is not built again; undefined for other rows. */
    frozenStamp: ({ index }) => (editing?.row === index ? editing.stamp : undefined),
    /** Moves the cursor to a row. */
    goToRow: (row) => moveTo({ ...cursor, row }),
    focusColumn(column) {
      cursor = { row: -1, column };
      table.focus({ preventScroll: true });
      drawCursor();
    },
    /** The object in the row of the cursor; null if there is none. */
    current: () => (cursor.row < 0 ? null : objectAt(cursor.row)),
  };
}
