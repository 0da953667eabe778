// The forms that add or edit an object: one editor for each field; only changed fields are sent.

import { fieldRow } from "./editors/field-row.js";
import { entered, openForm } from "./form.js";
import { newFieldSection } from "./new-field.js";
import { fieldChanges, userFields } from "./values.js";

/**
 * Opens the form of an object.
 *
 * @param fields what can be edited: {name, label, kind, required, hint}
 * @param object the object to edit; null for a new one
 * @param services what editors need of the gateway
 * @param takesNewFields whether fields can be added that no object has yet
 * @param save gets the fields of the new object, or the changes; the form stays open when it throws
 * @param onJson opens the same object as JSON; null where that is not offered
 */
export function openObjectForm({ title, fields, object, services, takesNewFields = false, save, onJson = null }) {
  const before = object === null ? {} : userFields(object);
  // Where nothing is required, nothing need be called optional.
  const marksOptional = fields.some(({ required }) => required);
  const rows = fields.map((field) => fieldRow({ ...field, marksOptional }, before[field.name], services));
  openForm({
    title,
    rows,
    body: [rows.map((row) => row.node), takesNewFields && newFieldSection(rows, services)],
    saveWords: object === null ? "Add" : "Save",
    aside: onJson && { words: "Edit as JSON", run: onJson },
    async submit() {
      const changes = fieldChanges(before, await entered(before, rows));
      if (object === null || Object.keys(changes).length > 0) await save(changes);
    },
  });
}

/** Opens an object as JSON: for values that no editor can hold. */
export function openJsonForm({ title, object, save }) {
  const before = object === null ? {} : userFields(object);
  const hint = "Fields by name. Dates, pointers and the like as Parse writes them.";
  const row = fieldRow({ name: "fields", label: "Fields", kind: "json", required: true, hint }, before);
  openForm({
    title,
    rows: [row],
    body: row.node,
    saveWords: object === null ? "Add" : "Save",
    className: "dialog-json",
    async submit() {
      const changes = fieldChanges(before, await row.value());
      if (object === null || Object.keys(changes).length > 0) await save(changes);
    },
  });
}
