// A form row for a field that other clients may change while the form is open. The row shows each newer value. If the user has
// entered a different value, the user chooses between the newer value and the entered one.

import { el } from "../dom.js";
import { isEqual } from "../values.js";
import { fieldRow } from "./field-row.js";
import { sideChoice } from "./side-choice.js";
import { unfetchedRow } from "./unfetched-row.js";

/**
 * @param isFetched whether the field is fetched from the remote
 * @param added the definition of a field that the user has added to the form; undefined for other fields
 * @see fieldRow
 */
export function liveRow(field, before, services, { isFetched = true, added } = {}) {
  let row = isFetched || before !== undefined ? fieldRow(field, before, services) : unfetchedRow(field);
  let question = null;
  const node = el("div", { class: "field-live" }, row.node);

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
    errorAt: () => row.errorAt?.(),
    showError: (words) => row.showError(words),
    typed: () => row.typed(),
    restoreText: (typed) => row.restoreText(typed),
    isChanged: () => row.isChanged(),
    value: () => row.value(),
    close: () => row.close(),
    /** Shows a newer value of the field. If the user has entered another value, asks which one to keep, and returns true. */
    showNewer(value) {
      if (row.isChanged() && !isEqual(row.read(), value)) {
        askAbout(value);
        return true;
      }
      show(value, node.contains(document.activeElement));
      return false;
    },
  };
}
