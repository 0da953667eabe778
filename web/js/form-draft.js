// Stores the texts of open forms in their drafts: after a pause in typing, when the page is left, and when the form closes.

import { record } from "./records.js";

/** The pause in typing, in milliseconds, after which the draft is stored. */
const keepMs = 250;
/** For each open form, {keep, end}. */
const open = new Set();

/**
 * Stores the texts of a form from now on.
 *
 * @param draft the draft; null for a form without drafts
 * @param rows the rows of the form
 * @param content the node in which the user types
 * @param isTyped whether the form has unsaved texts
 * @param onKept called when the form ends with unsaved texts, which the draft keeps
 * @returns {drop, end}: `drop` deletes the draft of a form that was saved or discarded, `end` stores it for the last time
 */
export function keepDraft({ draft, rows, content, isTyped, onKept }) {
  /** True once the form is saved, discarded or closed. The draft is then not stored again. */
  let isOver = false;
  let keeping = null;
  const form = { keep, end };
  open.add(form);
  window.addEventListener("pagehide", keep);
  for (const type of ["input", "change"]) content.addEventListener(type, keepSoon);
  return {
    drop() {
      isOver = true;
      draft?.drop();
    },
    end,
  };

  function keepSoon() {
    clearTimeout(keeping);
    keeping = setTimeout(keep, keepMs);
  }

  function keep() {
    clearTimeout(keeping);
    if (draft === null || isOver) return;
    const typed = record();
    for (const row of rows) if (row.isChanged()) typed[row.name] = row.typed();
    const added = rows.map((row) => row.added).filter(Boolean);
    if (isTyped()) draft.keep({ typed, added });
    else draft.drop();
  }

  function end(tells = true) {
    keep();
    if (tells && draft !== null && !isOver && isTyped()) onKept();
    isOver = true;
    open.delete(form);
    window.removeEventListener("pagehide", keep);
  }
}

/** Stores the drafts of all open forms now, without the pause after typing. */
export function keepDrafts() {
  open.forEach(({ keep }) => keep());
}

/**
 * Stores the drafts of all open forms for the last time.
 *
 * @param tells whether to tell the user about unsaved texts
 */
export function endDrafts(tells) {
  open.forEach(({ end }) => end(tells));
}
