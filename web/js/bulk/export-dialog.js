// The dialog that copies or exports the selected objects.

import { fileNameOf, formats } from "./exports.js";
import { copy, download } from "./hand-over.js";
import { sortedBy } from "./sorted.js";
import { button } from "../buttons.js";
import { openDialog } from "../dialog.js";
import { el } from "../dom.js";
import { counted, t } from "../texts.js";

/**
 * @param verb "Copy" or "Export"
 * @param kinds the names of the formats to choose from
 * @param count the number of the selected objects
 * @param columns the names of the shown columns
 * @param read resolves to the selected objects; null if the user has stopped the read
 */
export function openExport({ verb, kinds, className, count, columns, types, order, read, notices }) {
  const problem = el("p", { class: "form-problem", role: "alert", hidden: true });
  const choices = (name, label, all) =>
    el(
      "fieldset",
      { class: "choice-list" },
      el("legend", { class: "label" }, label),
      all.map(([value, words], at) => {
        const input = el("input", { type: "radio", name, value });
        input.checked = at === 0;
        return el("label", { class: "check-row" }, input, el("span", {}, words));
      }),
    );
  const formatChoice = choices("format", t("Format"), kinds.map((kind) => [kind, formats[kind].label]));
  const fieldChoice = choices("fields", t("Fields"), [["shown", t("The {shownColumns}", { shownColumns: counted(columns.length, "shown column") })], ["all", t("All fields")]]);
  const runButton = button(verb, run, { className: "button-primary" });
  const frame = openDialog({
    title: `${verb} ${counted(count, "object")}`,
    className: "dialog-question",
    content: el(
      "div",
      { class: "object-form" },
      el("div", { class: "form-rows" }, problem, formatChoice, fieldChoice),
      el("div", { class: "dialog-actions" }, button(t("Cancel"), () => frame.close()), runButton),
    ),
  });
  formatChoice.querySelector("input").focus();
  /** The objects, once they are read. */
  let objects = null;

  const chosen = (node) => node.querySelector(":checked").value;

  async function run() {
    objects ??= await read();
    if (objects === null) return;
    const format = formats[chosen(formatChoice)];
    const text = format.write(sortedBy(objects, order), chosen(fieldChoice) === "shown" ? columns : null, types);
    try {
      if (format.extension) download(fileNameOf(className, format), format.type, text);
      else await copy(text, frame.dialog);
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
      return;
    }
    frame.close();
    notices.tell(format.extension ? t("{objects} exported.", { objects: counted(objects.length, "object") }) : t("{objects} copied.", { objects: counted(objects.length, "object") }));
  }
}
