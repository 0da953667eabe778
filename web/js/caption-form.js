// The form that sets the caption field of a class.

import { fieldRow } from "./editors/field-row.js";
import { openForm } from "./form.js";
import { t } from "./texts.js";

/**
 * @param names the fields that can be the caption
 * @param guess the guessed field; null without one
 * @param chosen the field that the user has set; null for the guess
 * @param save `(field)`: sets the field, or null for the guess
 */
export function openCaptionForm({ className, names, guess, chosen, save }) {
  const options = [["", t("The guess: {field}", { field: guess ?? t("the id") })], ...names.map((name) => [name, name])];
  const hint = t("Links show {className} objects by this field, and pointers are searched by it. This browser remembers it.", { className });
  const row = fieldRow({ name: "caption", label: t("Caption"), kind: "choice", options, hint }, chosen ?? undefined, {});
  openForm({
    title: t("Caption of {className}", { className }),
    rows: [{ ...row, isChanged: () => false }],
    body: [row.node],
    saveLabel: t("Save"),
    submit: async () => save((await row.value()) ?? null),
  });
}
