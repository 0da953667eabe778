// Decides how an action for many objects is undone, object by object. A change that waits to be sent is removed from the queue. A
// change that was sent gets a new change that restores the former value.

import { ownValue, record } from "../records.js";
import { counted, t } from "../texts.js";
import { fieldChanges, isEqual, userFields } from "../values.js";

/**
 * The step that undoes an action for one object:
 * - {action: "withdraw", pending, otherwise}: remove the pending change from the queue. `pending` is null if the change is not
 *   listed yet: the gateway lists only the oldest changes. `otherwise` is the step if the change is never listed.
 * - {action: "write", fields, tag}: set the former values
 * - {action: "create", fields}: create the object again
 * - {action: "leave", reason}
 *
 * @param undone {kind, field, value}: the action; `kind` is "set" or "delete"
 * @param item {before, state, object}: what the object was before the action. `state` is its sync state.
 * @param present the object now; undefined if there is none
 * @param pending the listed pending changes to the object
 * @param isWhole whether all pending changes are listed
 */
export function undoStep(undone, item, present, pending, isWhole) {
  return undone.kind === "set" ? stepOfSet(undone, item, present, pending, isWhole) : stepOfDeletion(item, present, pending, isWhole);
}

function stepOfSet({ field, value }, { before, state }, present, pending, isWhole) {
  if (present === undefined) return { action: "leave", reason: t("It was deleted") };
  if (!isEqual(ownValue(present, field) ?? null, value ?? null)) return { action: "leave", reason: t("{field} has another value now", { field }) };
  const [only] = pending;
  // An earlier change that waits to be sent may be a part of the pending change, and would be lost with it.
  const isOnlyThis = pending.length === 1 && only.kind === "update" && isUnsent(only) && only.fields.length === 1 && only.fields[0] === field;
  const write = { action: "write", fields: { [field]: before ?? { __op: "Delete" } }, tag: present._sync?.tag };
  if (state !== "synced") return write;
  if (isOnlyThis) return { action: "withdraw", pending: only, otherwise: write };
  const isUnlisted = pending.length === 0 && !isWhole && present._sync?.state === "updated";
  return isUnlisted ? { action: "withdraw", pending: null, otherwise: write } : write;
}

/** The step that undoes a deletion of an object. */
export function stepOfDeletion({ object, state }, present, pending, isWhole) {
  if (present !== undefined) return { action: "leave", reason: t("It exists again") };
  const deletion = pending.find(({ kind }) => kind === "delete");
  const create = { action: "create", fields: creatable(object) };
  if (deletion) return isUnsent(deletion) ? { action: "withdraw", pending: deletion, otherwise: create } : create;
  return isWhole || state === "created" ? create : { action: "withdraw", pending: null, otherwise: create };
}

function isUnsent({ phase, attempts }) {
  return phase === "pending" && attempts === 0;
}

/**
 * The changes that an object needs after its deletion was withdrawn; null for none. The deletion has replaced changes that waited
 * to be sent, and they are made again.
 */
export function lostChanges({ state, object }, present) {
  if (state === "synced") return null;
  const changes = fieldChanges(creatable(present), creatable(object));
  return Object.keys(changes).length > 0 ? changes : null;
}

/** The fields of an object with which it can be created again. The members of relations are not known here. */
export function creatable(object) {
  return record(Object.fromEntries(Object.entries(userFields(object)).filter(([, value]) => value?.__type !== "Relation")));
}

const createdWords = t("created again. They get new ids, unless the server takes the ids of clients. Members of relations are not restored.");

/**
 * What the steps of an undo do, as sentences.
 *
 * @param words {withdraw, write, delete}: what the steps of these actions do
 */
export function stepSentences(steps, words) {
  const all = { ...words, create: createdWords, leave: t("left as they are.") };
  return ["withdraw", "write", "delete", "create", "leave"].flatMap((name) => {
    const count = steps.filter(({ action }) => action === name).length;
    return count > 0 ? [`${counted(count, "object")}: ${all[name]}`] : [];
  });
}

/** The undo of an action, for the bar that offers it: {kind, className, field, value, items}. */
export function undoOf(done, keys) {
  const { kind, className, field, items } = done;
  const withdraw =
    kind === "set" ? t("the changes that wait to be sent are removed from the queue.") : t("the deletions that wait to be sent are removed from the queue.");
  const words = { withdraw, write: t("a new change gives {field} its former value.", { field }) };
  return {
    items: items.map((item) => ({ ...item, className })),
    keys: kind === "set" ? [field, ...keys] : ["objectId"],
    stepOf: (item, present, pending, isWhole) => undoStep(done, item, present, pending, isWhole),
    sentences: (steps) => stepSentences(steps, words),
  };
}
