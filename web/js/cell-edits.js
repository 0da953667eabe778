// Changes of single values in the cells of a table, and their undo. The rows of the table stay in their places.

import { subjectOf } from "./notices.js";
import { ownValue } from "./records.js";
import { t } from "./texts.js";
import { updateIfUnchanged } from "./update-if-unchanged.js";
import { isolated } from "./values.js";

/** The maximum number of changes that can be undone. */
const undoMax = 100;

/** @param poll reads the changes of the gateway into the state */
export function createCellEdits({ api, gateway, names, notices, poll }) {
  const done = [];
  let running = 0;

  /** Sets a field of an object, or deletes it for undefined. Returns whether the object was changed. */
  async function set({ className, object, name, value }) {
    const { objectId } = object;
    const about = subjectOf(className, objectId, name);
    const fields = { [name]: value === undefined ? { __op: "Delete" } : value };
    running += 1;
    // The row shows the new value at once.
    gateway.patchRow(className, withField(object, name, value));
    try {
      const isSaved = await updateIfUnchanged(api, { className, objectId }, fields, object, isolated(names.of(className, objectId)));
      if (isSaved) notices.settle(about);
      return isSaved;
    } catch (error) {
      notices.warn(t("Not saved. {message}", { message: error.message }), { about });
      gateway.patchRow(className, object);
      return false;
    } finally {
      await gateway.readRow(className, objectId).catch(() => {});
      await poll();
      running -= 1;
    }
  }

  return {
    /** Whether a change of a cell is being saved, perhaps after a question to the user. */
    isSavingCell: () => running > 0,
    async editCell(className, object, name, value) {
      if (!(await set({ className, object, name, value }))) return;
      done.push({ className, object, name, value });
      if (done.length > undoMax) done.shift();
      notices.announce(t("Saved."));
    },
    /** Tells why an entered value was not saved. */
    refuseCell(className, { objectId }, name, reason) {
      notices.warn(t("{field} of {name} keeps its value. {reason}", { field: name, name: isolated(names.of(className, objectId)), reason }), { about: subjectOf(className, objectId, name) });
    },
    /** Gives the last changed cell its earlier value. This is a new change. */
    async undoEdit() {
      const last = done.pop();
      if (last === undefined) return notices.announce(t("There is no change of a cell to undo."));
      const { className, object, name, value } = last;
      const before = ownValue(object, name);
      const isUndone = await set({ className, object: withField(object, name, value), name, value: before });
      if (isUndone) notices.tell(t("{field} of {name} has its earlier value again.", { field: name, name: isolated(names.of(className, object.objectId)) }));
    },
  };
}

function withField(object, name, value) {
  const copy = { ...object };
  if (value === undefined) delete copy[name];
  else copy[name] = value;
  return copy;
}
