// The choice between the value that the user has typed and the value that another client has set.

import { el } from "../dom.js";
import { t } from "../texts.js";
import { valueNode } from "../values.js";

let count = 0;

/**
 * @param label the label of the field
 * @param theirs the value that another client has set; undefined if another client has removed the field
 * @param onTheirs called when the user chooses `theirs`
 */
export function sideChoice(label, theirs, onTheirs) {
  const id = `side-${++count}`;
  const problem = el("p", { class: "field-problem", id: `${id}-problem`, role: "alert", hidden: true });
  const mine = option(t("Yours"), el("span", { class: "value-absent" }, t("What you typed")), hideProblem);
  const other = option(t("Theirs"), valueNode(theirs), onTheirs);
  const node = el(
    "fieldset",
    { class: "choices side-choice", "aria-describedby": problem.id },
    el("legend", { class: "choices-name" }, t("{label} was changed while you were editing", { label })),
    el("div", { class: "choices-row" }, mine.node, other.node),
    problem,
  );

  function option(words, value, run) {
    const input = el("input", { type: "radio", name: id, on: { change: run } });
    const parts = [input, el("span", { class: "choice-side" }, words), el("span", { class: "choice-value" }, value)];
    return { input, node: el("label", { class: "choice" }, parts) };
  }

  function hideProblem() {
    problem.hidden = true;
  }

  return {
    node,
    control: mine.input,
    isDecided: () => mine.input.checked,
    /** If the user has not chosen yet, asks for a choice. Returns whether the user has chosen. */
    check() {
      problem.textContent = t("Choose yours or theirs.");
      problem.hidden = mine.input.checked;
      return mine.input.checked;
    },
  };
}
