// The line below a table: the visible rows, their order, a jump to a row, the columns, the caption field, and how times are shown. It also has the
// button that shows the changes of other clients.

import { columnsText } from "./columns.js";
import { orderText } from "./order-text.js";
import { button, visuallyHidden } from "../buttons.js";
import { el, fill, fillWhenChanged } from "../dom.js";
import { timesNames } from "../remembered.js";
import { counted, numberText, t } from "../texts.js";

const timesWords = { local: t("Local time"), both: t("Local time and UTC"), utc: "UTC" };

/** @param goToRow shows a row as the first visible row */
export function createGridFoot({ goToRow }) {
  const range = el("span", { class: "grid-range" });
  const order = el("span", { class: "grid-order" });
  const row = el("input", { class: "input grid-jump", inputmode: "numeric", autocomplete: "off", "aria-label": t("Go to row"), placeholder: t("Go to row") });
  const jump = el("form", { on: { submit: go } }, row);
  const columns = el("span", { class: "grid-columns" });
  const caption = el("span", { class: "grid-caption" });
  const times = el(
    "select",
    { class: "input grid-times", "aria-label": t("Times"), data: { focus: "times" } },
    timesNames.map((name) => el("option", { value: name }, timesWords[name])),
  );
  let chooseTimes = () => {};
  times.addEventListener("change", () => chooseTimes(times.value));
  const heldButton = el("div", { class: "grid-held", role: "status" });
  let rows = 0;

  function go(event) {
    event.preventDefault();
    const wanted = Number(row.value.replace(/[\s,.]/g, ""));
    if (Number.isInteger(wanted) && wanted > 0) goToRow(Math.min(wanted, rows) - 1);
    row.value = "";
  }

  return {
    node: el("div", { class: "grid-foot" }, range, order, jump, columns, caption, times),
    heldButton,
    /** Shows the numbers of the visible rows. */
    drawRange(first, last, total) {
      rows = total;
      range.textContent = total === 0 ? "" : t("{first}–{last} of {total}", { first: numberText(Math.min(first + 1, total)), last: numberText(last), total: numberText(total) });
    },
    draw({ list, order: shownOrder, columns: shown, types, captionField, times: shownTimes, chooseColumns, chooseCaption, chooseTimes: choose, showHeld }) {
      jump.hidden = list.total < 100;
      order.textContent = order.title = orderText(shownOrder);
      const words = columnsText(shown.length, types);
      fillWhenChanged(columns, words, () =>
        button([words, visuallyHidden(t(" shown, choose columns"))], chooseColumns, { className: "button-quiet button-small", focus: "columns" }),
      );
      fillWhenChanged(caption, `${captionField}`, () => {
        const named = button(
          [t("Caption: {field}", { field: captionField ?? "objectId" }), visuallyHidden(t(", choose the caption"))],
          () => chooseCaption(),
          { className: "button-quiet button-small", focus: "caption" },
        );
        named.title = t("The caption of an object: links and messages show it, and pointers are searched by it.");
        return named;
      });
      times.value = shownTimes;
      chooseTimes = choose;
      const held = list.held?.size ?? 0;
      if (held === 0) return fill(heldButton);
      fillWhenChanged(heldButton, `${held}`, () => button(t("{changes}, show", { changes: counted(held, "new change") }), showHeld, { className: "button-small" }));
    },
  };
}
