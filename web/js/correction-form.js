// The form that corrects a rejected change. It shows the remote's reason and the object's fields. The change can also
// be edited as JSON.

import { el } from "./dom.js";
import { fieldRow } from "./editors/field-row.js";
import { isFetched } from "./live-form.js";
import { enteredFields, openForm } from "./form.js";
import { newFieldSection } from "./new-field.js";
import { ownValue } from "./records.js";
import { withFullStop } from "./sync-text.js";
import { t } from "./texts.js";
import { fieldChanges, userFields } from "./values.js";

/**
 * @param object the local object with the rejected change
 * @param draft stores the texts of the form until they are saved
 * @param save gets the corrected values, or undefined if the user has corrected nothing; a null value removes the field from the
 *   change
 */
export function openCorrectionForm({ title, rejection, object, fields, services, draft, save }) {
  const before = userFields(object);
  const rows = fields.map((field) => fieldRow(field, ownValue(before, field.name), services));
  const newFields = newFieldSection(rows, services, (name) => isFetched(object, name), draft.kept?.added);
  const code = rejection.code ? t(" (code {code})", { code: rejection.code }) : "";
  openForm({
    title,
    intro: el("p", { class: "form-reason", dir: "auto" }, t("The remote's reason: {error}{code}", { error: withFullStop(rejection.error), code })),
    rows,
    body: [rows.map((row) => row.node), newFields],
    saveLabel: t("Send again"),
    draft,
    aside: { words: t("Edit as JSON"), run: () => openOperationsForm({ title, operations: rejection.operations, save }) },
    async submit() {
      const changes = fieldChanges(before, await enteredFields(before, rows));
      await save(Object.keys(changes).length > 0 ? corrections(changes, rejection) : undefined);
    },
  });
}

/**
 * The corrected values of a change. For a field that the user has emptied, the value is a Delete operation in an update, and null
 * in a create. Null removes the field from the change.
 */
function corrections(changes, { kind }) {
  if (kind !== "create") return changes;
  return Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value?.__op === "Delete" ? null : value]));
}

/**
 * Opens a form with the change as JSON: field values and operations. If the user removes a field from the JSON, `save` gets null
 * for the field.
 */
function openOperationsForm({ title, operations, save }) {
  const hint = t("The fields that the change sets. Remove a field to keep the remote's value.");
  const row = fieldRow({ name: "fields", label: t("Fields"), kind: "json", required: true, hint }, operations);
  const takenOut = Object.fromEntries(Object.keys(operations).map((name) => [name, null]));
  openForm({
    title,
    rows: [row],
    body: row.node,
    saveLabel: t("Send again"),
    className: "dialog-json",
    submit: async () => save({ ...takenOut, ...(await row.value()) }),
  });
}
