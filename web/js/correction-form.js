// Corrects a change that the remote refused: the object's form, with the remote's words above it; or the change as JSON,
// where it holds operations.

import { el } from "./dom.js";
import { fieldRow } from "./editors/field-row.js";
import { isFetched } from "./followed-form.js";
import { entered, openForm } from "./form.js";
import { newFieldSection } from "./new-field.js";
import { own } from "./named.js";
import { withStop } from "./sync-words.js";
import { fieldChanges, userFields } from "./values.js";

/**
 * @param object the object as it is here, with the refused change
 * @param draft keeps the texts of the form
 * @param save gets the values to put over those of the change, where null takes a field out of it
 */
export function openCorrectionForm({ title, rejection, object, fields, services, draft, save }) {
  const before = userFields(object);
  const rows = fields.map((field) => fieldRow(field, own(before, field.name), services));
  const newFields = newFieldSection(rows, services, (name) => isFetched(object, name), draft.kept?.added);
  const code = rejection.code ? ` (code ${rejection.code})` : "";
  openForm({
    title,
    intro: el("p", { class: "form-reason", dir: "auto" }, `The remote said: ${withStop(rejection.error)}${code}`),
    rows,
    body: [rows.map((row) => row.node), newFields],
    saveWords: "Send again",
    draft,
    aside: { words: "Edit as JSON", run: () => openOperationsForm({ title, operations: rejection.operations, save }) },
    async submit() {
      const changes = fieldChanges(before, await entered(before, rows));
      await save(Object.keys(changes).length > 0 ? corrections(changes, rejection) : undefined);
    },
  });
}

/** What was emptied leaves a new object's change; an object that exists loses the field. */
function corrections(changes, { kind }) {
  if (kind !== "create") return changes;
  return Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value?.__op === "Delete" ? null : value]));
}

/** What the change sets, and operations in place of values. A field taken out is null. */
function openOperationsForm({ title, operations, save }) {
  const hint = "What the change sets, by field. Take a field out to leave it as it is on the remote.";
  const row = fieldRow({ name: "fields", label: "Fields", kind: "json", required: true, hint }, operations);
  const takenOut = Object.fromEntries(Object.keys(operations).map((name) => [name, null]));
  openForm({
    title,
    rows: [row],
    body: row.node,
    saveWords: "Send again",
    className: "dialog-json",
    submit: async () => save({ ...takenOut, ...(await row.value()) }),
  });
}
