// A form row that shows changes by other clients while the form is open. An unedited field takes the new value. For an edited
// field, the user chooses between both values.

import { el } from "../dom.js";
import { isEqual } from "../values.js";
import { fieldRow } from "./field-row.js";
import { sideChoice } from "./side-choice.js";
import { unfetchedRow } from "./unfetched-row.js";

/**
 * @param isFetched false if the field is not fetched from the remote
 * @param added the definition of a field that the user added to the form; undefined for other fields
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
    showError: (words) => row.showError(words),
    typed: () => row.typed(),
    restoreText: (typed) => row.restoreText(typed),
    isChanged: () => row.isChanged(),
    value: () => row.value(),
    close: () => row.close(),
    /** Shows the new value of the field. Returns whether the user has to choose between it and the typed value. */
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
