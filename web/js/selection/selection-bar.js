// The bar below a table with selected objects: their number, and the actions for all of them.

import { selectedCount, selectionOf } from "./selection.js";
import { wordsFor } from "./selecting.js";
import { isDeniedInClass } from "../class-rights.js";
import { button, iconButton } from "../buttons.js";
import { el, fillWhenChanged } from "../dom.js";
import { counted, t } from "../texts.js";

/** @param commands [{words, run, write}]: the actions for the selected objects. An action whose `write` is denied is not offered */
export function showSelectionBar({ state, selecting, commands }) {
  const words = el("p", { class: "selection-words" });
  const tools = el("div", { class: "selection-tools" });
  const node = el(
    "div",
    { class: "selection-bar", role: "group", "aria-label": t("Selected objects"), hidden: true, on: { keydown: press } },
    words,
    tools,
  );

  function press(event) {
    if (event.key === "Escape") leave();
  }

  /** Ends the selection. The table gets the focus, because the bar disappears. */
  function leave() {
    node.closest(".grid-view")?.querySelector(".grid")?.focus({ preventScroll: true });
    selecting.clear();
  }

  state.show((values) => {
    const total = values.lists.get(values.className)?.total ?? 0;
    const selection = selectionOf(values);
    const isEmpty = selectedCount(selection, total) === 0;
    if (isEmpty && node.contains(document.activeElement)) node.closest(".grid-view")?.querySelector(".grid")?.focus({ preventScroll: true });
    node.hidden = isEmpty;
    if (isEmpty) return;
    words.textContent = wordsFor(values).slice(0, -1);
    const isWhole = selection.isAll && selection.except.size === 0;
    const offered = commands.filter(({ write }) => !isDeniedInClass(values, values.className, write));
    fillWhenChanged(tools, `${isWhole} ${total} ${offered.map((command) => command.words)}`, () => [
      !isWhole && button(t("Select all {objects}", { objects: counted(total, "object") }), selecting.selectAll, { className: "button-small", focus: "select all" }),
      offered.map((command) => button(command.words, command.run, { className: "button-small", focus: `bulk ${command.words}` })),
      iconButton(t("Clear selection"), "close", leave, { title: t("Clear selection"), focus: "clear selection" }),
    ]);
  });
  return node;
}
