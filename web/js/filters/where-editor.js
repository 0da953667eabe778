// The query of a filter as JSON, beside the chips. The gateway's error about the query is shown below it.

import { el } from "../dom.js";
import { isObject } from "./operator-forms.js";
import { t } from "../texts.js";
import { isEqual } from "../values.js";

/** @param apply `(where)`: takes an entered query */
export function createWhereEditor({ apply }) {
  const problem = el("p", { class: "field-problem", id: "filter-where-problem", role: "alert", dir: "auto", hidden: true });
  const hint = el("p", { class: "hint", id: "filter-where-hint" });
  const control = el("textarea", {
    class: "input input-code",
    id: "filter-where",
    rows: 6,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    "aria-describedby": `${problem.id} ${hint.id}`,
    on: { input: () => tell(null) },
  });
  const node = el(
    "form",
    { class: "where-editor", id: "filter-where-editor", hidden: true, on: { submit } },
    el("label", { class: "label", for: control.id }, t("Query (where) as JSON")),
    control,
    problem,
    hint,
    el("div", { class: "where-actions" }, el("button", { class: "button button-small button-primary", type: "submit" }, t("Apply"))),
  );
  let shown = null;
  let untouched = "";

  function submit(event) {
    event.preventDefault();
    if (control.value === untouched) return tell(null);
    const where = parsed(control.value);
    if (where instanceof Error) return tell(where.message);
    apply(where);
  }

  function tell(words) {
    problem.textContent = words ?? "";
    problem.hidden = words === null;
    control.setAttribute("aria-invalid", String(words !== null));
  }

  return {
    node,
    focus: () => control.focus(),
    /** Shows a query, unless it is shown already, and the gateway's error about it. */
    show(where, list, className) {
      if (shown === null || !isEqual(shown.where, where) || shown.className !== className) {
        shown = { where, className };
        untouched = where === null ? "{}" : JSON.stringify(where, null, 2);
        control.value = untouched;
        control.rows = Math.min(16, Math.max(4, untouched.split("\n").length));
        tell(null);
      }
      hint.hidden = !untouched.includes("$period");
      hint.textContent = hint.hidden ? "" : t("The page writes two dates in place of a $period at each read. The gateway does not know $period.");
      const isAnswer = list?.phase === "failed" && isEqual(list.where, where);
      if (isAnswer && control.value === untouched && where !== null) tell(list.message);
    },
  };
}

function parsed(text) {
  if (text.trim() === "") return null;
  try {
    const where = JSON.parse(text);
    if (!isObject(where)) return new Error(t("Enter an object: { … }."));
    return Object.keys(where).length === 0 ? null : where;
  } catch (error) {
    return new Error(t("This is not JSON: {message}", { message: error.message }));
  }
}
