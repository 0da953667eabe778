// The forms that add or edit an object: one editor for each field; only changed fields are sent.

import { fieldRow } from "./editors/field-row.js";
import { entered, openForm } from "./form.js";
import { own } from "./named.js";
import { newFieldSection } from "./new-field.js";
import { fieldChanges, userFields } from "./values.js";

/** Parse's number for an object that there is not, or not any more. */
const goneCode = 101;

/**
 * Opens the form of an object.
 *
 * @param fields what can be edited: {name, label, kind, required, hint}
 * @param object the object to edit; null for a new one
 * @param services what editors need of the gateway
 * @param takesNewFields whether fields can be added that no object has yet
 * @param draft keeps what was typed
 * @param save gets the fields of the new object, or the changes; the form stays open when it throws
 * @param saveAnew gets all fields, where the object is gone
 * @param onJson opens the same object as JSON; null where that is not offered
 */
export function openObjectForm({ title, fields, object, services, takesNewFields = false, draft, save, saveAnew, onJson = null }) {
  const before = object === null ? {} : userFields(object);
  // Where nothing is required, nothing need be called optional.
  const marksOptional = fields.some(({ required }) => required);
  const rows = fields.map((field) => fieldRow({ ...field, marksOptional }, own(before, field.name), services));
  const body = [rows.map((row) => row.node), takesNewFields && newFieldSection(rows, services, draft.kept?.added)];
  const after = () => entered(before, rows);
  openForm({
    title,
    rows,
    body,
    saveWords: object === null ? "Add" : "Save",
    aside: onJson && { words: "Edit as JSON", run: onJson },
    draft,
    submit: async () => submit(object, fieldChanges(before, await after()), save),
    remedy: (error) => remedy(object, error, async () => saveAnew(whole(await after()))),
  });
}

/** Opens an object as JSON: for values that no editor can hold. */
export function openJsonForm({ title, object, draft, save, saveAnew }) {
  const before = object === null ? {} : userFields(object);
  const hint = "Fields by name. Dates, pointers and the like as Parse writes them.";
  const row = fieldRow({ name: "fields", label: "Fields", kind: "json", required: true, hint }, before);
  openForm({
    title,
    rows: [row],
    body: row.node,
    saveWords: object === null ? "Add" : "Save",
    className: "dialog-json",
    draft,
    submit: async () => submit(object, fieldChanges(before, await row.value()), save),
    remedy: (error) => remedy(object, error, async () => saveAnew(whole(await row.value()))),
  });
}

async function submit(object, changes, save) {
  if (object === null || Object.keys(changes).length > 0) await save(changes);
}

/** What can be done about an object that has been deleted while its form was open. */
function remedy(object, error, run) {
  if (object === null || error.code !== goneCode) return null;
  return { text: "The object has been deleted meanwhile.", words: "Make it anew", run };
}

/** All that a new object can be given: the members of relations do not stand in it. */
function whole(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value?.__type !== "Relation"));
}
