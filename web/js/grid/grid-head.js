// The head of a table: the names of the columns, the sort order, and the grips that change the widths.

import { cellsInWindow } from "./column-window.js";
import { boundedWidth } from "./columns.js";
import { selectAllCell } from "./select-keys.js";
import { visuallyHidden } from "../buttons.js";
import { sideways } from "../direction.js";
import { el, fillWhenChanged } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../texts.js";

export function drawHead(head, { columns, order, sortBy, setWidth, span }, focusColumn) {
  fillWhenChanged(head, JSON.stringify([columns, order, span]), () =>
    el(
      "tr",
      { "aria-rowindex": "1" },
      selectAllCell(),
      cellsInWindow(columns, span, heading),
      el("th", { scope: "col", class: "cell-actions", "aria-colindex": String(columns.length + 2) }, visuallyHidden(t("Actions"))),
    ),
  );

  function heading(column, at) {
    const { name, isNumber, isSortable } = column;
    const direction = order === name ? "ascending" : order === `-${name}` ? "descending" : null;
    const next = direction === "ascending" ? `-${name}` : name;
    const run = () => (focusColumn(at), sortBy(next));
    const control = isSortable
      ? el(
          "button",
          { class: "sort", type: "button", tabindex: "-1", data: { focus: `sort ${name}` }, on: { click: run } },
          el("span", { class: "sort-name" }, name),
          visuallyHidden(direction === "ascending" ? t(" sort descending") : t(" sort ascending")),
          direction && icon(direction === "ascending" ? "sortUp" : "sortDown"),
        )
      : el("span", { class: "sort-name" }, name);
    return el("th", { scope: "col", "aria-sort": direction, class: isNumber ? "cell-number" : null, title: name }, control, grip(column));
  }

  /** The grip at the right edge of a column. Alt with an arrow key does the same. */
  function grip({ name, width }) {
    let start = null;
    const widthAt = (event) => boundedWidth(width + (event.clientX - start) * sideways());
    const node = el("span", {
      class: "grip",
      "aria-hidden": "true",
      on: {
        pointerdown(event) {
          event.preventDefault();
          start = event.clientX;
          node.setPointerCapture(event.pointerId);
        },
        pointermove: (event) => start !== null && (node.style.transform = `translateX(${(widthAt(event) - width) * sideways()}px)`),
        pointerup(event) {
          if (start === null) return;
          const chosen = widthAt(event);
          start = null;
          setWidth(name, chosen);
        },
      },
    });
    return node;
  }
}
