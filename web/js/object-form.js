// The forms that add or edit an object: one with an editor for each field, and one with the object as JSON. An edit sends only
// the changed fields.

import { fieldRow } from "./editors/field-row.js";
import { liveRow } from "./editors/live-row.js";
import { changedNames, liveJson, isFetched, changesLine, saveIfUnchanged } from "./live-form.js";
import { enteredFields, openForm } from "./form.js";
import { ownValue } from "./records.js";
import { newFieldSection } from "./new-field.js";
import { t } from "./texts.js";
import { fieldChanges, userFields } from "./values.js";

/**
 * Opens the form of an object.
 *
 * @param fields the editable fields: {name, label, kind, required, hint}
 * @param object the object to edit; null for a new object
 * @param services the gateway functions that editors use
 * @param takesNewFields whether the user can add fields
 * @param draft stores the texts of the form until the form is saved
 * @param save `(fields)` for a new object, otherwise `(changes, tag)` with the tag of the edited version; an error keeps the form
 *   open
 * @param saveAnew `(fields)`: creates the object again from all its fields, after another client has deleted it
 * @param watch `(object, onChange)`: calls `onChange` with each newer version; returns a function that stops watching
 * @param onJson `(object)`: opens the version that the form shows as JSON; null for a form without the button "Edit as JSON"
 * @param more further nodes below the fields
 * @param frame {openFrame, first, onKept, again}, see `form.js`
 */
export function openObjectForm({ title, fields, object, services, takesNewFields = false, draft, save, saveAnew, watch, onJson = null, more = null, ...frame }) {
  let seen = object;
  const before = () => (seen === null ? {} : userFields(seen));
  // Optional fields are marked only if the form also has required fields.
  const marksOptional = fields.some(({ required }) => required);
  const rows = fields.map((field) =>
    liveRow({ ...field, marksOptional, isNullable: field.kind !== "relation", linksObjects: true }, ownValue(before(), field.name), services, { isFetched: isFetched(object, field.name) }),
  );
  const line = changesLine();
  const isHere = (name) => isFetched(seen, name);
  const newFields = takesNewFields && newFieldSection(rows, services, isHere, draft.kept?.added);
  const body = [line.node, rows.map((row) => row.node), newFields, more];
  const after = () => enteredFields(before(), rows);
  const changes = async () => fieldChanges(before(), await after());

  /** Shows a newer version of the object. Returns whether the user has to choose between values. */
  function showNewer(present) {
    const names = changedNames(before(), userFields(present));
    const rowOf = (name) => rows.find((row) => row.name === name);
    seen = present;
    line.tell(names.map((name) => rowOf(name)?.label ?? name));
    return names.map((name) => rowOf(name)?.showNewer(ownValue(present, name))).some(Boolean);
  }

  const opened = openForm({
    ...frame,
    title,
    rows,
    body,
    saveLabel: object === null ? t("Add") : t("Save"),
    aside: onJson && { words: t("Edit as JSON"), run: () => onJson(seen) },
    draft,
    submit: async () =>
      object === null ? save(await changes()) : saveIfUnchanged({ changes, tag: () => seen._sync?.tag, showNewer, save }),
    remedy: (error) => remedy(object, error, async () => saveAnew(creatableFields(await after()))),
  });
  watchWhileOpen(opened, object, watch, showNewer);
  return opened;
}

function watchWhileOpen(frame, object, watch, showNewer) {
  if (object === null) return;
  frame.onClose(watch(object, showNewer));
}

/** Opens a form with an object as JSON. In this form, the user can also edit values of types that have no editor. */
export function openJsonForm({ title, object, draft, save, saveAnew, watch, ...frame }) {
  const hint = t("Field names and values. Dates and pointers use Parse's JSON format.");
  const { rows, body, changes, tag, showNewer, fields } = liveJson(object, (shown) =>
    fieldRow({ name: "fields", label: t("Fields"), kind: "json", required: true, hint }, shown),
  );
  const opened = openForm({
    ...frame,
    title,
    rows,
    body,
    saveLabel: t("Save"),
    className: "dialog-json",
    draft,
    submit: () => saveIfUnchanged({ changes, tag, showNewer, save }),
    remedy: (error) => remedy(object, error, async () => saveAnew(creatableFields(await fields()))),
  });
  watchWhileOpen(opened, object, watch, showNewer);
  return opened;
}

/** The repair of a failed save: if the edited object was deleted, a button creates it again. Null for any other failure. */
function remedy(object, error, run) {
  if (object === null || !error.isGone) return null;
  return { text: t("The object was deleted while you were editing."), words: t("Create it again"), run };
}

/** The fields with which to create a deleted object again. Leaves out relations, because their members are not known here. */
function creatableFields(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value?.__type !== "Relation"));
}
