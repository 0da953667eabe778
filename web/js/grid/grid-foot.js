// The line below a table: the visible rows, a jump to a row, the columns, and the time zone. It also has the button that shows the
// changes of other clients.

import { columnsText } from "./columns.js";
import { button, visuallyHidden } from "../buttons.js";
import { el, fill, fillWhenChanged } from "../dom.js";
import { counted, numberText, t } from "../texts.js";

/** @param goToRow shows a row as the first visible row */
export function createGridFoot({ goToRow }) {
  const range = el("span", { class: "grid-range" });
  const row = el("input", { class: "input grid-jump", inputmode: "numeric", autocomplete: "off", "aria-label": t("Go to row"), placeholder: t("Go to row") });
  const jump = el("form", { on: { submit: go } }, row);
  const columns = el("span", { class: "grid-columns" });
  const times = el("span", { class: "grid-times" });
  const heldButton = el("div", { class: "grid-held", role: "status" });
  let rows = 0;

  function go(event) {
    event.preventDefault();
    const wanted = Number(row.value.replace(/[\s,.]/g, ""));
    if (Number.isInteger(wanted) && wanted > 0) goToRow(Math.min(wanted, rows) - 1);
    row.value = "";
  }

  return {
    node: el("div", { class: "grid-foot" }, range, jump, columns, times),
    heldButton,
    /** Shows the numbers of the visible rows. */
    drawRange(first, last, total) {
      rows = total;
      range.textContent = total === 0 ? "" : t("{first}–{last} of {total}", { first: numberText(Math.min(first + 1, total)), last: numberText(last), total: numberText(total) });
    },
    draw({ list, columns: shown, types, isUtc, chooseColumns, chooseTime, showHeld }) {
      jump.hidden = list.total < 100;
      const words = columnsText(shown.length, types);
      fillWhenChanged(columns, words, () =>
        button([words, visuallyHidden(t(" shown, choose columns"))], chooseColumns, { className: "button-quiet button-small", focus: "columns" }),
      );
      fillWhenChanged(times, String(isUtc), () =>
        button([isUtc ? "UTC" : t("Local time"), visuallyHidden(isUtc ? t(", show local time") : t(", show UTC"))], () => chooseTime(!isUtc), {
          className: "button-quiet button-small", focus: "times",
        }),
      );
      const held = list.held?.size ?? 0;
      if (held === 0) return fill(heldButton);
      fillWhenChanged(heldButton, `${held}`, () => button(t("{changes}, show", { changes: counted(held, "new change") }), showHeld, { className: "button-small" }));
    },
  };
}
