// The user's decisions about sync: undo a pending change; correct, send again or discard a rejected change; resolve a conflict;
// confirm a held removal or keep its objects.

import { entryKey, wordsFor } from "./authors.js";
import { openConflictDialog } from "./conflict-dialog.js";
import { conflictText } from "./conflict-text.js";
import { ask } from "./dialog.js";
import { openCorrectionForm } from "./correction-form.js";
import { openAt } from "./opened.js";
import { record } from "./records.js";
import { removalText } from "./removal-text.js";
import { resolveIfUnchanged } from "./resolve-if-unchanged.js";
import { updateIfUnchanged } from "./update-if-unchanged.js";
import { keepsUsersApart } from "./users.js";
import { isolated } from "./values.js";

/**
 * @param perform runs a request, reloads the state, and shows a notice
 * @param fieldsOf returns the editable fields of a class
 */
export function createDecisions({ api, state, names, notices, drafts, perform, reload, fieldsOf, services, offerUndoOf }) {
  const nameOf = ({ className, objectId }) => isolated(names.of(className, objectId));

  async function undo(change) {
    const name = nameOf(change);
    if (change.kind === "create") {
      const text = "It exists only on this device. Undo deletes it.";
      if (!(await ask({ title: `Undo adding ${name}?`, text, yes: "Undo", danger: true }))) return;
    }
    await perform(() => api.undoPending(change), "Undone.");
  }

  async function giveUp(rejection) {
    const { your, Your } = wordsFor(rejection);
    const text =
      rejection.kind === "create"
        ? "The new object is deleted from this device."
        : `${Your} change is deleted. The remote's version is shown again.`;
    if (!(await ask({ title: `Discard ${your} change to ${nameOf(rejection)}?`, text, yes: "Discard", danger: true }))) return;
    const isDone = await perform(() => api.giveUpRejection(rejection), "Discarded.");
    if (isDone) offerUndoOf("rejections", "discard", rejection, `${Your} change to ${nameOf(rejection)} is discarded.`);
  }

  /** Opens the form that corrects a rejected change and sends it again. */
  async function correct(rejection) {
    const { className, objectId, space } = rejection;
    const title = `Correct ${wordsFor(rejection).your} change to ${nameOf(rejection)}`;
    const save = async (object) => {
      await api.retryRejection(rejection, object);
      await reload();
      notices.tell("It will be sent again.");
    };
    const fields = fieldsOf(className);
    const draft = drafts.of("correction", entryKey(rejection), state.values.className);
    try {
      const object = space === undefined ? await api.read(className, objectId) : changedObject(rejection);
      openCorrectionForm({ title, rejection, object, fields, services, draft, save });
    } catch (error) {
      notices.warn(error.message);
    }
  }

  async function resolve(conflict, { keep, done, label, isDanger }) {
    const text = `This deletes ${nameOf(conflict)} permanently.`;
    if (isDanger && !(await ask({ title: `${label}?`, text, yes: "Delete", danger: true }))) return;
    const isDone = await perform(() => resolveIfUnchanged(api, conflict, keep), done);
    const choice = { local: "mine", remote: "theirs" }[keep];
    if (isDone && choice) offerUndoOf("conflicts", choice, conflict, `${nameOf(conflict)}: ${done}`);
  }

  /** Opens the dialog that resolves a conflict field by field. */
  function decideByField(conflict) {
    const save = async (keep, object) => {
      await resolveIfUnchanged(api, conflict, keep, object);
      await reload();
      notices.tell("Resolved. The next sync sends it.");
    };
    const title = `Resolve the conflict of ${nameOf(conflict)}`;
    const draft = drafts.of("conflict", entryKey(conflict), state.values.className);
    const fields = fieldsOf(conflict.className);
    const open = () => openConflictDialog({ title, conflict, fields, services, draft, save });
    openAt(state, { className: conflict.className, conflict: String(entryKey(conflict)) }, open);
  }

  /** Opens the conflict that the page's address names, or says that it is not open. */
  function openConflict(key) {
    const conflict = state.values.conflicts.find((item) => String(entryKey(item)) === key);
    if (conflict && conflictText(conflict).byField) return decideByField(conflict);
    state.update({ opened: null, ...(conflict && { panelOpen: true }) });
    if (!conflict) notices.warn("This conflict is not open. It may be resolved already.");
  }

  async function confirmRemoval(removal) {
    const isOlder = removal.olderIds?.length > 0;
    const { Your, theirs } = wordsFor(removal);
    const away = "They are removed from this device too.";
    const lost = isOlder ? "Objects missing on the remote are removed here. Objects that are older on the remote go back to that version." : away;
    const text = `${lost} ${Your} pending changes to them become conflicts.`;
    const yes = isOlder ? `Use ${theirs}` : "Remove";
    if (!(await ask({ title: removalText(removal).question, text, yes, danger: true }))) return;
    await perform(() => api.confirmRemoval(placedIn(state.values, removal)), isOlder ? "The remote's version is used." : "Removed.");
  }

  return {
    /**
     * Reopens the form of a draft that corrects a rejected change or resolves a conflict. Returns false for any other draft, and
     * if the decision is no longer open.
     */
    reopen({ kind, subject }, { rejections, conflicts }) {
      if (kind !== "correction" && kind !== "conflict") return false;
      const [items, open] = kind === "correction" ? [rejections, correct] : [conflicts, decideByField];
      const item = items.find((entry) => entryKey(entry) === subject);
      if (item) open(item);
      return item !== undefined;
    },
    undo,
    giveUp,
    correct,
    resolve,
    decideByField,
    openConflict,
    confirmRemoval,
    retry: (rejection) => perform(() => api.retryRejection(rejection), "It will be sent again."),
    /** Gives an object the remote's values after its conflict was resolved with the local values. This is a new local edit. */
    useTheirs: (conflict, fields) =>
      perform(
        () => updateIfUnchanged(api, conflict, fields, conflict.local ?? {}, nameOf(conflict)),
        (isSaved) => (isSaved ? "The remote's values are back. They are sent as your edit." : `${nameOf(conflict)} is unchanged.`),
      ),
    keepRemoval: (removal) =>
      perform(
        () => api.keepRemoval(placedIn(state.values, removal)),
        removal.reason === "tooMany" ? "Kept." : "They will be sent again.",
      ),
  };
}

/**
 * A held removal, with the id of the user in whose data it is. With the owner's session, a request must name this user, because the
 * session does not identify the user.
 */
export function placedIn({ operates, user, status }, removal) {
  const isOwn = operates && user !== null && keepsUsersApart(status) && removal.space === undefined;
  return isOwn ? { ...removal, space: user.objectId } : removal;
}

/**
 * The object of a rejected change in the data of a user, which the page cannot read: the last state that both sides share, with the
 * values that the change sets. A number or an array that the change adds to has its earlier value.
 */
function changedObject({ base, operations }) {
  const object = record(base);
  for (const [name, value] of Object.entries(operations)) {
    if (value?.__op === "Delete") delete object[name];
    else if (value?.__op === undefined) object[name] = value;
  }
  return object;
}
