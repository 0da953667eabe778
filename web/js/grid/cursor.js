// The cell cursor of a table: the cell that the keys of the keyboard concern. Row -1 is the head of the table.

/**
 * The cell to which a key moves the cursor; null for a key that does not move it.
 *
 * @param cell {row, column}
 * @param size {rows, columns, page}: the numbers of rows, of columns, and of visible rows
 */
export function movedCursor(cell, { key, ctrlKey = false, metaKey = false, altKey = false }, size) {
  if (altKey) return null;
  const isFar = ctrlKey || metaKey;
  const last = { row: size.rows - 1, column: size.columns - 1 };
  const moves = {
    ArrowUp: () => ({ row: isFar ? 0 : cell.row - 1 }),
    ArrowDown: () => ({ row: isFar ? last.row : cell.row + 1 }),
    ArrowLeft: () => ({ column: isFar ? 0 : cell.column - 1 }),
    ArrowRight: () => ({ column: isFar ? last.column : cell.column + 1 }),
    Home: () => ({ column: 0, ...(isFar && { row: 0 }) }),
    End: () => ({ column: last.column, ...(isFar && { row: last.row }) }),
    PageUp: () => ({ row: Math.max(0, cell.row - size.page) }),
    PageDown: () => ({ row: cell.row + size.page }),
  };
  if (!Object.hasOwn(moves, key)) return null;
  return withinTable({ ...cell, ...moves[key]() }, size);
}

/** The cell after the cursor, or before it, in reading order; null at the end of the table. */
export function nextCell({ row, column }, isBackward, { rows, columns }) {
  const at = row * columns + column + (isBackward ? -1 : 1);
  if (at < 0 || at >= rows * columns) return null;
  return { row: Math.floor(at / columns), column: at % columns };
}

/** The nearest cell that the table has. */
export function withinTable({ row, column }, { rows, columns }) {
  return { row: Math.max(-1, Math.min(rows - 1, row)), column: Math.max(0, Math.min(columns - 1, column)) };
}
