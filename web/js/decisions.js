// The user's decisions about sync: undo a pending change; correct, send again or discard a rejected change; resolve a conflict;
// confirm a held removal or keep its objects.

import { entryKey, wordsFor } from "./authors.js";
import { openConflictDialog } from "./conflict-dialog.js";
import { conflictText } from "./conflict-text.js";
import { ask } from "./dialog.js";
import { openCorrectionForm } from "./correction-form.js";
import { subjectOf } from "./notices.js";
import { openAt } from "./opened.js";
import { record } from "./records.js";
import { removalText } from "./removal-text.js";
import { t } from "./texts.js";
import { updateIfUnchanged } from "./update-if-unchanged.js";
import { keepsUsersApart } from "./users.js";
import { isolated } from "./values.js";

/**
 * @param perform runs a request, reloads the state, and shows a notice
 * @param fieldsOf returns the editable fields of a class
 * @param offerUndoOf, dropUndo see `actions.js`
 * @param amend see `navigation.js`
 */
export function createDecisions({ api, state, names, notices, drafts, perform, reload, fieldsOf, services, offerUndoOf, dropUndo, amend }) {
  const nameOf = ({ className, objectId }) => isolated(names.of(className, objectId));

  /**
   * Waits for the answer to a decision, then offers to undo it, in place of the decision before. Without {list, choice, entry, words},
   * or if the page cannot undo the decision, nothing can be undone. Resolves to whether the page offers an undo, and so tells about
   * the decision.
   */
  async function decide(request, ...undo) {
    await request;
    if (undo.length > 0) return offerUndoOf(...undo);
    dropUndo();
    return false;
  }

  /** The notice after a decision, unless the offer to undo it tells the same. */
  const unlessOffered = (words) => (isOffered) => (isOffered ? null : words);
  const subject = ({ className, objectId, space }) => (space === undefined ? subjectOf(className, objectId) : subjectOf(className, objectId, "of", space));

  async function undo(change) {
    const name = nameOf(change);
    if (change.kind === "create") {
      const text = t("It exists only on this device. Undo deletes it.");
      if (!(await ask({ title: t("Undo adding {name}?", { name }), text, yes: t("Undo"), danger: true }))) return;
    }
    await perform(() => api.undoPending(change), t("Undone."), subject(change));
  }

  async function giveUp(rejection) {
    const { your, Your } = wordsFor(rejection);
    const text =
      rejection.kind === "create"
        ? t("The new object is deleted from this device.")
        : t("{Your} change is deleted. The remote's version is shown again.", { Your });
    if (!(await ask({ title: t("Discard {your} change to {name}?", { your, name: nameOf(rejection) }), text, yes: t("Discard"), danger: true }))) return;
    const words = t("{Your} change to {name} is discarded.", { Your, name: nameOf(rejection) });
    await perform(() => decide(api.giveUpRejection(rejection), "rejections", "discard", rejection, words), unlessOffered(t("Discarded.")), subject(rejection));
  }

  /** Opens the form that corrects a rejected change and sends it again. */
  async function correct(rejection) {
    const { className, objectId, space } = rejection;
    const title = t("Correct {your} change to {name}", { your: wordsFor(rejection).your, name: nameOf(rejection) });
    const save = async (object) => {
      await decide(api.retryRejection(rejection, object));
      await reload();
      notices.tell(t("It will be sent again."), { about: subject(rejection) });
    };
    const fields = fieldsOf(className);
    const draft = drafts.of("correction", entryKey(rejection), state.values.className);
    try {
      const object = space === undefined ? await api.read(className, objectId) : changedObject(rejection);
      openCorrectionForm({ title, rejection, object, fields, services, draft, save });
    } catch (error) {
      notices.warn(error.message, { about: subject(rejection) });
    }
  }

  async function resolve(conflict, { keep, done, label, isDanger }) {
    const text = t("This deletes {name} permanently.", { name: nameOf(conflict) });
    if (isDanger && !(await ask({ title: `${label}?`, text, yes: t("Delete"), danger: true }))) return;
    const words = `${nameOf(conflict)}: ${done}`;
    await perform(() => decide(api.resolveConflict(conflict, keep), "conflicts", choiceOf(keep), conflict, words), unlessOffered(done), subject(conflict));
  }

  /** Opens the dialog that resolves a conflict field by field. */
  function decideByField(conflict) {
    const save = async (keep, object) => {
      const words = `${nameOf(conflict)}: ${t("Resolved. The next sync sends it.")}`;
      // Without a value that differs from the kept side, this is the decision for that side.
      const choice = object === undefined ? choiceOf(keep) : "byField";
      const isOffered = await decide(api.resolveConflict(conflict, keep, object), "conflicts", choice, { ...conflict, chosen: object }, words);
      await reload();
      notices.settle(subject(conflict));
      if (!isOffered) notices.tell(t("Resolved. The next sync sends it."));
    };
    const title = t("Resolve the conflict of {name}", { name: nameOf(conflict) });
    const draft = drafts.of("conflict", entryKey(conflict), state.values.className);
    const fields = fieldsOf(conflict.className);
    const open = () => openConflictDialog({ title, conflict, fields, services, draft, save });
    openAt(state, { className: conflict.className, conflict: String(entryKey(conflict)) }, open);
  }

  /** Opens the conflict that the page's address names, or says that it is not open. */
  function openConflict(key) {
    const conflict = state.values.conflicts.find((item) => String(entryKey(item)) === key);
    if (conflict && conflictText(conflict).byField) return decideByField(conflict);
    amend({ opened: null, ...(conflict && { panelOpen: true }) });
    if (!conflict) notices.warnHere(t("This conflict is not open. It may be resolved already."));
  }

  async function confirmRemoval(removal) {
    const isOlder = removal.olderIds?.length > 0;
    const { Your, theirs } = wordsFor(removal);
    const away = t("They are removed from this device too.");
    const lost = isOlder ? t("Objects missing on the remote are removed here. Objects that are older on the remote go back to that version.") : away;
    const text = `${lost} ${t("{Your} pending changes to them become conflicts.", { Your })}`;
    const yes = isOlder ? t("Use {theirs}", { theirs }) : t("Remove");
    if (!(await ask({ title: removalText(removal).question, text, yes, danger: true }))) return;
    await perform(() => decide(api.confirmRemoval(placedIn(state.values, removal))), isOlder ? t("The remote's version is used.") : t("Removed."), subject(removal));
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
    retry: (rejection) => perform(() => decide(api.retryRejection(rejection)), t("It will be sent again."), subject(rejection)),
    /** Gives an object the remote's values after its conflict was resolved with the local values. This is a new local edit. */
    useTheirs: (conflict, fields) =>
      perform(
        () => updateIfUnchanged(api, conflict, fields, conflict.local ?? {}, nameOf(conflict)),
        (isSaved) => (isSaved ? t("The remote's values are back. They are sent as your edit.") : t("{name} is unchanged.", { name: nameOf(conflict) })),
        subject(conflict),
      ),
    keepRemoval: (removal) =>
      perform(
        () => decide(api.keepRemoval(placedIn(state.values, removal))),
        removal.reason === "tooMany" ? t("Kept.") : t("They will be sent again."),
        subject(removal),
      ),
  };
}

/** The id of a decision about a conflict, see `choices.js`; undefined for a decision about a lost answer. */
const choiceOf = (keep) => ({ local: "mine", remote: "theirs" })[keep];

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
