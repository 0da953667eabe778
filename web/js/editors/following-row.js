// A row of a form that follows its field while the form is open. A value that others set shows at once if nothing was typed
// here, and is offered beside the typed one otherwise.

import { el } from "../dom.js";
import { isEqual } from "../values.js";
import { fieldRow } from "./field-row.js";
import { sideChoice } from "./side-choice.js";
import { unfetchedRow } from "./unfetched-row.js";

/**
 * @param isFetched false where the field's value is not known here
 * @param added the field as it was added to the form; undefined for one that was there
 * @see fieldRow
 */
export function followingRow(field, before, services, { isFetched = true, added } = {}) {
  let row = isFetched || before !== undefined ? fieldRow(field, before, services) : unfetchedRow(field);
  let question = null;
  const node = el("div", { class: "field-following" }, row.node);

  function show(value, isFocused) {
    row.close();
    row = fieldRow(field, value, services);
    question = null;
    node.replaceChildren(row.node);
    if (isFocused) row.control.focus();
  }

  function askAbout(value) {
    question = sideChoice(field.label, value, () => show(value, true));
    node.replaceChildren(row.node, question.node);
  }

  return {
    name: field.name,
    label: field.label,
    node,
    get control() {
      return question && !question.isDecided() ? question.control : row.control;
    },
    check: () => row.check() && (question === null || question.check()),
    added,
    refuse: (words) => row.refuse(words),
    typed: () => row.typed(),
    retype: (typed) => row.retype(typed),
    isChanged: () => row.isChanged(),
    value: () => row.value(),
    close: () => row.close(),
    /** Takes the value that the field has now. Returns whether the reader has to choose. */
    follow(value) {
      if (row.isChanged() && !isEqual(row.read(), value)) {
        askAbout(value);
        return true;
      }
      show(value, node.contains(document.activeElement));
      return false;
    },
  };
}
