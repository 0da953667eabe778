// The view of a class as a table.

import { fill } from "./dom.js";
import { createGrid } from "./grid/grid-view.js";
import { counted, t } from "./texts.js";

/** The table that each container shows. */
const grids = new WeakMap();

export function tablePresentation(className) {
  return {
    className,
    title: className,
    one: t("object"),
    many: t("objects"),
    counted: (count) => counted(count, "object"),
    order: "-updatedAt",
    isPaged: true,
    fields: null,
    intro: () => [],
    draw(container, _, { side, mark, table }) {
      const grid = gridIn(container);
      const layout = JSON.stringify([table.columns, table.times]);
      table.holdWhile(grid.holdsRows);
      grid.update({ className, side, mark, layout, ...table });
    },
  };
}

/** The table in a container; null if the container shows none. */
export function shownGrid(container) {
  const grid = grids.get(container);
  return grid?.node.isConnected ? grid : null;
}

function gridIn(container) {
  const before = shownGrid(container);
  if (before) return before;
  const grid = createGrid();
  grids.set(container, grid);
  fill(container, grid.node);
  return grid;
}
