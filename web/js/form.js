// A form in a dialog or in the pane of an object. The form validates and saves the user's input, shows errors, and asks before it
// discards input. A reload or the browser's Back button closes the form without a question; if the form has a draft, the draft keeps
// the texts.

import { button } from "./buttons.js";
import { ask, openDialog } from "./dialog.js";
import { closePane } from "./pane.js";
import { el, fill } from "./dom.js";
import { endDrafts, keepDraft } from "./form-draft.js";
import { record, ownValue } from "./records.js";
import { listed, t } from "./texts.js";

const discard = {
  title: t("Discard what you typed?"),
  text: t("Your text is not saved."),
  yes: t("Discard"),
  no: t("Keep editing"),
  danger: true,
};

/**
 * @param rows the form rows to validate; more rows may be added while the form is open
 * @param body the nodes of the form
 * @param submit saves the form; the form stays open if this throws an error. An error with the name of a row as `field` is shown in
 *   this row
 * @param aside {words, run}: label and action of an additional button, which first closes the form; a list of such buttons; null
 *   for none
 * @param failure the words before the message of an error
 * @param draft holds the texts that the form restores, and stores the texts that the user types; null for a form without drafts
 * @param remedy `(error)`: returns the repair of an error, or null if there is none. A repair is {text, words, run}: an
 *   explanation of the error, a button's label, and the button's action
 * @param openFrame opens the dialog or the pane of the form
 * @param first the name of the row that gets the focus; null for the first row
 * @param onKept called when the form closes with unsaved text, which its draft keeps
 * @param again `(name)`: shows the form again after it was saved, with the focus on a row; null for a form that always closes
 */
export function openForm({
  title, intro = null, rows, body, saveLabel, submit, aside = null, className = "", draft = null, failure = t("Not saved."),
  remedy = () => null, openFrame = openDialog, first = null, onKept = () => {}, again = null,
}) {
  const problem = el("p", { class: "form-problem", dir: "auto", role: "alert", hidden: true });
  let isSaving = false;
  const saveButton = el("button", { class: "button button-primary", type: "submit" }, saveLabel);
  const content = el(
    "form",
    { class: "object-form", novalidate: true, on: { submit: save, keydown: press } },
    el("div", { class: "form-rows" }, draft?.kept && restoredNotice(draft.kept), intro, problem, body),
    el(
      "div",
      { class: "dialog-actions" },
      [aside].flat().map((aside) => aside && button(aside.words, () => leaveAside(aside), { className: "button-quiet" })),
      button(t("Cancel"), () => frame.leave()),
      saveButton,
    ),
  );
  const isTyped = () => rows.some((row) => row.isChanged() || row.added);
  const mayClose = async () => {
    if (isTyped() && !(await ask(discard))) return false;
    kept.drop();
    return true;
  };
  for (const row of rows) {
    const typed = ownValue(draft?.kept?.typed, row.name);
    if (typed !== undefined) row.restoreText(typed);
  }
  const frame = openFrame({ title, content, className, mayClose });
  const kept = keepDraft({ draft, rows, content, isTyped, onKept });
  frame.onClose(() => {
    kept.end();
    rows.forEach((row) => row.close());
  });
  if (frame.takesFocus) focusFirst(rows, first, frame.held ?? null, content);
  return frame;

  /** Ctrl with S saves the form and keeps it open. */
  function press(event) {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || again === null) return;
    save(event, true);
  }

  async function save(event, stays = false) {
    event.preventDefault();
    if (isSaving) return;
    const held = rows.find(({ node }) => node?.contains(document.activeElement))?.name ?? null;
    const wrong = rows.filter((row) => !row.check());
    if (wrong.length > 0) return focusOn(wrong[0]);
    setSaving(true);
    problem.hidden = true;
    try {
      await submit();
      kept.drop();
      // The form was saved, even if it cannot be shown again.
      if (stays) await again(held).catch(() => frame.close());
      else frame.close();
    } catch (error) {
      const row = rows.find(({ name }) => name === error.field);
      if (row === undefined) tell(error);
      else {
        row.showError(error.message);
        focusOn(row);
      }
    } finally {
      setSaving(false);
    }
  }

  function tell(error) {
    const way = remedy(error);
    fill(problem, `${failure} ${way?.text ?? error.message}`, way && button(way.words, () => repair(way), { className: "button-small" }));
    problem.hidden = false;
    problem.scrollIntoView({ block: "nearest" });
  }

  /** Runs the repair of an error, then closes the form. */
  async function repair({ run }) {
    try {
      await run();
      kept.drop();
      frame.close();
    } catch (error) {
      tell(error);
    }
  }

  /** Shows whether the form is being saved. The Save button is not disabled, because a disabled button loses the focus. */
  function setSaving(flag) {
    isSaving = flag;
    saveButton.setAttribute("aria-disabled", String(flag));
    saveButton.textContent = flag ? t("Saving") : saveLabel;
  }

  async function leaveAside(aside) {
    if (!(await mayClose())) return;
    frame.close();
    aside.run();
  }
}

/**
 * Closes all dialogs and the pane without a question, before the page shows another place. The texts of a form with a draft stay
 * stored.
 *
 * @param tells whether to tell the user about stored texts
 */
export function closeDialogs({ tells = true } = {}) {
  // The browser dispatches "close" later. By then the page may have looked for the draft, or deleted all drafts.
  endDrafts(tells);
  closePane();
  for (const dialog of [...document.querySelectorAll("dialog[open]")].reverse()) dialog.close();
}

/** The notice above a restored draft. A draft cannot contain files, so the notice asks the user to choose them again. */
function restoredNotice({ typed }) {
  const files = Object.values(typed).map((item) => item?.chosen).filter(Boolean);
  const again = files.length > 0 ? t(" Choose {files} again.", { files: listed(files) }) : "";
  return el("p", { class: "form-restored", role: "status", dir: "auto" }, t("Your unsaved text was restored.{again}", { again }));
}

/** Moves the focus to a row, opens the collapsed section that contains it, and moves the cursor to the error in its text. */
function focusOn(row) {
  const { control } = row;
  control.closest("details")?.setAttribute("open", "");
  control.focus();
  const at = row.errorAt?.();
  if (at !== undefined && control.localName === "textarea") control.setSelectionRange(at, at);
}

/**
 * Moves the focus to the row `first`. Without it, the focus goes to the field that has had it in the pane of before, and otherwise to the
 * first row. The user may be about to type.
 *
 * @param held the control that had the focus in the pane of before; null if none had it
 */
function focusFirst(rows, first, held, content) {
  const wanted = first ?? held?.closest("[data-field]")?.dataset.field ?? null;
  const row = rows.find(({ name }) => wanted !== null && name === wanted) ?? rows.find(({ control }) => !control.disabled) ?? rows[0];
  const control = row?.control ?? content.querySelector(".form-rows :is(input, select, textarea):not(:disabled)");
  control?.focus();
  if (held?.name === control?.name && held?.value === control?.value && Number.isInteger(control?.selectionStart)) {
    return control.setSelectionRange(held.selectionStart, held.selectionEnd, held.selectionDirection);
  }
  // The cursor of a text area starts at the beginning of the text.
  if (control?.localName !== "textarea") return;
  control.setSelectionRange(0, 0);
  control.scrollTop = 0;
}

/** Resolves to the fields of an object, with the new values of the changed form rows. */
export async function enteredFields(before, rows) {
  const after = record(before);
  for (const row of rows) if (row.isChanged()) after[row.name] = await row.value();
  return after;
}
