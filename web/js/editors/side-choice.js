// A question about one field: others have changed it while it was being edited here.

import { el } from "../dom.js";
import { valueNode } from "../values.js";

let count = 0;

/**
 * @param label the field's name for people
 * @param theirs the value that the field has now; undefined for none
 * @param onTheirs called when the reader takes that value
 */
export function sideChoice(label, theirs, onTheirs) {
  const id = `side-${++count}`;
  const problem = el("p", { class: "field-problem", id: `${id}-problem`, role: "alert", hidden: true });
  const mine = option("Yours", el("span", { class: "value-absent" }, "The value entered here"), decided);
  const other = option("Theirs", valueNode(theirs), onTheirs);
  const node = el(
    "fieldset",
    { class: "choices side-choice", "aria-describedby": problem.id },
    el("legend", { class: "choices-name" }, `${label} was changed meanwhile`),
    el("div", { class: "choices-row" }, mine.node, other.node),
    problem,
  );

  function option(words, value, run) {
    const input = el("input", { type: "radio", name: id, on: { change: run } });
    const parts = [input, el("span", { class: "choice-side" }, words), el("span", { class: "choice-value" }, value)];
    return { input, node: el("label", { class: "choice" }, parts) };
  }

  function decided() {
    problem.hidden = true;
  }

  return {
    node,
    control: mine.input,
    isDecided: () => mine.input.checked,
    /** Says that there is something to choose. Returns whether it has been chosen. */
    check() {
      problem.textContent = "Choose yours or theirs.";
      problem.hidden = mine.input.checked;
      return mine.input.checked;
    },
  };
}
