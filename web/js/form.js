// The frame of a form in a dialog: checks its rows, saves, says what went wrong, and asks before it throws away what was
// typed.

import { button } from "./buttons.js";
import { ask, openDialog } from "./dialog.js";
import { el } from "./dom.js";

const discard = {
  title: "Discard what you typed?",
  text: "It has not been saved.",
  yes: "Discard",
  no: "Keep editing",
  danger: true,
};

/**
 * @param rows the rows to check, as an array that may grow
 * @param body what the form shows
 * @param submit saves; the form stays open when it throws
 * @param aside {words, run}: another way to go on, offered beside the buttons; null for none
 */
export function openForm({ title, intro = null, rows, body, saveWords, submit, aside = null, className = "" }) {
  const problem = el("p", { class: "form-problem", role: "alert", hidden: true });
  let isSaving = false;
  const saveButton = el("button", { class: "button button-primary", type: "submit" }, saveWords);
  const content = el(
    "form",
    { class: "object-form", novalidate: true, on: { submit: save } },
    el("div", { class: "form-rows" }, intro, problem, body),
    el(
      "div",
      { class: "dialog-actions" },
      aside && button(aside.words, leaveAside, { look: "button-quiet" }),
      button("Cancel", () => frame.leave()),
      saveButton,
    ),
  );
  const mayClose = async () => !rows.some((row) => row.isChanged()) || ask(discard);
  const frame = openDialog({ title, content, className, mayClose });
  frame.dialog.addEventListener("close", () => rows.forEach((row) => row.close()));
  focusFirst(rows);
  return frame;

  async function save(event) {
    event.preventDefault();
    if (isSaving) return;
    const wrong = rows.filter((row) => !row.check());
    if (wrong.length > 0) return focusOn(wrong[0]);
    setSaving(true);
    problem.hidden = true;
    try {
      await submit();
      frame.close();
    } catch (error) {
      problem.textContent = `Not saved. ${error.message}`;
      problem.hidden = false;
      problem.scrollIntoView({ block: "nearest" });
    } finally {
      setSaving(false);
    }
  }

  /** The button keeps the focus while it does nothing. */
  function setSaving(flag) {
    isSaving = flag;
    saveButton.setAttribute("aria-disabled", String(flag));
    saveButton.textContent = flag ? "Saving" : saveWords;
  }

  async function leaveAside() {
    if (!(await mayClose())) return;
    frame.close();
    aside.run();
  }
}

/** Where a row is folded away, it is unfolded. */
function focusOn({ control }) {
  control.closest("details")?.setAttribute("open", "");
  control.focus();
}

function focusFirst(rows) {
  const control = (rows.find((row) => !row.control.disabled) ?? rows[0])?.control;
  control?.focus();
  // A long text is read from its beginning.
  if (control?.localName !== "textarea") return;
  control.setSelectionRange(0, 0);
  control.scrollTop = 0;
}

/** What the rows say: the values of those that were changed, over what there was. */
export async function entered(before, rows) {
  const after = { ...before };
  for (const row of rows) if (row.isChanged()) after[row.name] = await row.value();
  return after;
}
