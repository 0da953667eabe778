// The form that sets the caption field of a class.

import { fieldRow } from "./editors/field-row.js";
import { openForm } from "./form.js";

/**
 * @param names the fields that can be the caption
 * @param guess the guessed field; null without one
 * @param chosen the field that the user has set; null for the guess
 * @param save `(field)`: sets the field, or null for the guess
 */
export function openCaptionForm({ className, names, guess, chosen, save }) {
  const options = [["", `The guess: ${guess ?? "the id"}`], ...names.map((name) => [name, name])];
  const hint = `Links show ${className} objects by this field, and pointers are searched by it. This browser remembers it.`;
  const row = fieldRow({ name: "caption", label: "Caption", kind: "choice", options, hint }, chosen ?? undefined, {});
  openForm({
    title: `Caption of ${className}`,
    rows: [{ ...row, isChanged: () => false }],
    body: [row.node],
    saveLabel: "Save",
    submit: async () => save((await row.value()) ?? null),
  });
}
