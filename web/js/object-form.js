// The forms that add or edit an object: one editor for each field; only changed fields are sent.

import { fieldRow } from "./editors/field-row.js";
import { followingRow } from "./editors/following-row.js";
import { changedNames, followedJson, isFetched, newsLine, saveOnto } from "./followed-form.js";
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
 * @param draft keeps the texts of the form
 * @param save gets the fields of the new object, or the changes and the tag of the state that they are for; the form stays
 *   open when it throws
 * @param watch follows the object: calls its argument with each newer state, and returns a function that ends it
 * @param saveAnew gets all fields, where the object is gone
 * @param onJson opens the object as JSON, as it is by then; null where that is not offered
 */
export function openObjectForm({ title, fields, object, services, takesNewFields = false, draft, save, saveAnew, watch, onJson = null }) {
  let seen = object;
  const before = () => (seen === null ? {} : userFields(seen));
  // Where nothing is required, nothing need be called optional.
  const marksOptional = fields.some(({ required }) => required);
  const rows = fields.map((field) =>
    followingRow({ ...field, marksOptional }, own(before(), field.name), services, { isFetched: isFetched(object, field.name) }),
  );
  const news = newsLine();
  const isHere = (name) => isFetched(seen, name);
  const newFields = takesNewFields && newFieldSection(rows, services, isHere, draft.kept?.added);
  const body = [news.node, rows.map((row) => row.node), newFields];
  const after = () => entered(before(), rows);
  const changes = async () => fieldChanges(before(), await after());

  /** Shows a newer state. Returns whether the reader has something to choose. */
  function follow(present) {
    const names = changedNames(before(), userFields(present));
    const rowOf = (name) => rows.find((row) => row.name === name);
    seen = present;
    news.tell(names.map((name) => rowOf(name)?.label ?? name));
    return names.map((name) => rowOf(name)?.follow(own(present, name))).some(Boolean);
  }

  const frame = openForm({
    title,
    rows,
    body,
    saveWords: object === null ? "Add" : "Save",
    aside: onJson && { words: "Edit as JSON", run: () => onJson(seen) },
    draft,
    submit: async () =>
      object === null ? save(await changes()) : saveOnto({ changes, tag: () => seen._sync?.tag, follow, save }),
    remedy: (error) => remedy(object, error, async () => saveAnew(whole(await after()))),
  });
  followWhileOpen(frame, object, watch, follow);
}

function followWhileOpen(frame, object, watch, follow) {
  if (object === null) return;
  frame.dialog.addEventListener("close", watch(object, follow));
}

/** Opens an object as JSON: for values that no editor can hold. */
export function openJsonForm({ title, object, draft, save, saveAnew, watch }) {
  const hint = "Fields by name. Dates, pointers and the like as Parse writes them.";
  const { rows, body, changes, tag, follow, fields } = followedJson(object, (shown) =>
    fieldRow({ name: "fields", label: "Fields", kind: "json", required: true, hint }, shown),
  );
  const frame = openForm({
    title,
    rows,
    body,
    saveWords: "Save",
    className: "dialog-json",
    draft,
    submit: () => saveOnto({ changes, tag, follow, save }),
    remedy: (error) => remedy(object, error, async () => saveAnew(whole(await fields()))),
  });
  followWhileOpen(frame, object, watch, follow);
}

/** The way out where an object has been deleted while its form was open. */
function remedy(object, error, run) {
  if (object === null || error.code !== goneCode) return null;
  return { text: "The object has been deleted meanwhile.", words: "Make it anew", run };
}

/** All that a new object can be given: the members of relations do not stand in it. */
function whole(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value?.__type !== "Relation"));
}
