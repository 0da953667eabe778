// The dialog of the named filters of a class: use one, delete one, and save the present filter under a name.

import { button, visuallyHidden } from "../buttons.js";
import { el, fill } from "../dom.js";
import { fieldRow } from "../editors/field-row.js";
import { openForm } from "../form.js";
import { t } from "../texts.js";

/**
 * @param where the present filter; null for none
 * @param textOf `(where)`: a filter as a sentence
 * @param apply `(where)`: takes a saved filter
 */
export function openSavedFilters({ saved, className, where, textOf, notices, apply }) {
  const list = el("ul", { class: "saved-filters" });
  const name = fieldRow(
    { name: "name", label: t("Name"), kind: "text", required: true, hint: t("A filter with the same name is replaced.") },
    undefined,
    {},
  );
  const rows = where === null ? [] : [{ ...name, isChanged: () => false }];
  const frame = openForm({
    title: t("Saved filters of {className}", { className }),
    rows,
    body: [list, rows.map(({ node }) => node)],
    saveLabel: where === null ? t("Done") : t("Save the filter"),
    async submit() {
      if (where === null) return;
      const words = (await name.value()).slice(0, 100);
      saved.save(className, words, where);
      notices.tell(t("The filter “{words}” is saved in this browser.", { words }));
    },
  });
  showList();
  list.querySelector("button")?.focus();

  function showList() {
    const entries = saved.of(className);
    fill(list, entries.map(entry), entries.length === 0 && el("li", { class: "hint" }, t("No filter of this class is saved in this browser.")));
  }

  function entry({ name: words, where: one }) {
    const use = () => {
      frame.close();
      apply(one);
    };
    const forget = () => {
      saved.remove(className, words);
      showList();
      (list.querySelector("button") ?? rows[0]?.control)?.focus();
    };
    return el(
      "li",
      { class: "saved-filter" },
      button([visuallyHidden(t("Use the filter ")), words], use, { className: "button-quiet saved-name" }),
      el("span", { class: "saved-words", dir: "auto" }, textOf(one)),
      button([t("Delete"), visuallyHidden(t(" the filter {words}", { words }))], forget, { className: "button-small button-quiet" }),
    );
  }
}
