// The frame of a form in a dialog: checks its rows, saves, tells errors, and asks before it discards texts. A reload, or the
// browser's Back, closes it and keeps the texts.

import { button } from "./buttons.js";
import { ask, openDialog } from "./dialog.js";
import { el, fill } from "./dom.js";
import { named, own } from "./named.js";

/** The pause in typing after which the texts are kept. */
const keepMs = 250;
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
 * @param draft keeps the texts, and has those that were typed earlier; null for a form that keeps nothing
 * @param remedy gives a way out of an error: {text, words, run}; null where there is none
 */
export function openForm({
  title, intro = null, rows, body, saveWords, submit, aside = null, className = "", draft = null, remedy = () => null,
}) {
  const problem = el("p", { class: "form-problem", dir: "auto", role: "alert", hidden: true });
  let isSaving = false;
  /** Whether it was saved or discarded: nothing is left to keep. */
  let isOver = false;
  let keeping = null;
  const saveButton = el("button", { class: "button button-primary", type: "submit" }, saveWords);
  const content = el(
    "form",
    { class: "object-form", novalidate: true, on: { submit: save } },
    el("div", { class: "form-rows" }, draft?.kept && keptWords(draft.kept), intro, problem, body),
    el(
      "div",
      { class: "dialog-actions" },
      aside && button(aside.words, leaveAside, { look: "button-quiet" }),
      button("Cancel", () => frame.leave()),
      saveButton,
    ),
  );
  const isTyped = () => rows.some((row) => row.isChanged() || row.added);
  const mayClose = async () => {
    if (isTyped() && !(await ask(discard))) return false;
    end();
    return true;
  };
  for (const row of rows) {
    const typed = own(draft?.kept?.typed, row.name);
    if (typed !== undefined) row.retype(typed);
  }
  const frame = openDialog({ title, content, className, mayClose });
  frame.dialog.addEventListener("close", () => {
    keep();
    window.removeEventListener("pagehide", keep);
    rows.forEach((row) => row.close());
  });
  window.addEventListener("pagehide", keep);
  for (const type of ["input", "change"]) content.addEventListener(type, keepSoon);
  focusFirst(rows);
  return frame;

  function keepSoon() {
    clearTimeout(keeping);
    keeping = setTimeout(keep, keepMs);
  }

  function keep() {
    clearTimeout(keeping);
    if (draft === null || isOver) return;
    const typed = named();
    for (const row of rows) if (row.isChanged()) typed[row.name] = row.typed();
    const added = rows.map((row) => row.added).filter(Boolean);
    if (isTyped()) draft.keep({ typed, added });
    else draft.drop();
  }

  function end() {
    isOver = true;
    draft?.drop();
  }

  async function save(event) {
    event.preventDefault();
    if (isSaving) return;
    const wrong = rows.filter((row) => !row.check());
    if (wrong.length > 0) return focusOn(wrong[0]);
    setSaving(true);
    problem.hidden = true;
    try {
      await submit();
      end();
      frame.close();
    } catch (error) {
      tell(error);
    } finally {
      setSaving(false);
    }
  }

  function tell(error) {
    const way = remedy(error);
    fill(problem, `Not saved. ${way?.text ?? error.message}`, way && button(way.words, () => mend(way), { look: "button-small" }));
    problem.hidden = false;
    problem.scrollIntoView({ block: "nearest" });
  }

  /** Saves in another way. */
  async function mend({ run }) {
    try {
      await run();
      end();
      frame.close();
    } catch (error) {
      tell(error);
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

/** Closes all dialogs, because the page shows something else; forms keep their texts. */
export function putAside() {
  for (const dialog of [...document.querySelectorAll("dialog[open]")].reverse()) dialog.close();
}

/** Files are not kept: the browser gives them to the page for as long as it is there. */
function keptWords({ typed }) {
  const files = Object.values(typed).map((item) => item?.chosen).filter(Boolean);
  const again = files.length > 0 ? ` Choose ${files.join(" and ")} again.` : "";
  return el("p", { class: "form-kept", role: "status", dir: "auto" }, `Your unsaved text is here again.${again}`);
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
  const after = named(before);
  for (const row of rows) if (row.isChanged()) after[row.name] = await row.value();
  return after;
}
