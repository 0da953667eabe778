// What a person decides of changes: taking back those that wait, correcting or giving up refused ones, settling conflicts
// and removals that are held back.

import { openConflictDialog } from "./conflict-dialog.js";
import { ask } from "./dialog.js";
import { openCorrectionForm } from "./correction-form.js";
import { removalWords } from "./removal-words.js";
import { resolveSeen } from "./seen-decision.js";
import { updateSeen } from "./seen-update.js";
import { isolated } from "./values.js";

/**
 * @param perform does one thing, says so, and brings the page up to date
 * @param fieldsOf what can be edited of a class
 */
export function createDecisions({ api, state, names, notices, drafts, perform, look, fieldsOf, services }) {
  const nameOf = ({ className, objectId }) => isolated(names.of(className, objectId));

  async function undo(change) {
    const name = nameOf(change);
    if (change.kind === "create") {
      const text = "It exists only here and was not sent yet. Undoing takes it away.";
      if (!(await ask({ title: `Undo adding ${name}?`, text, yes: "Undo", danger: true }))) return;
    }
    await perform(() => api.undoPending(change.id), "Undone.");
  }

  async function giveUp(rejection) {
    const text =
      rejection.kind === "create"
        ? "The new object is taken away here."
        : "Your change is dropped, and the remote's state shown.";
    if (!(await ask({ title: `Give up your change to ${nameOf(rejection)}?`, text, yes: "Give up", danger: true }))) return;
    await perform(() => api.giveUpRejection(rejection.id), "Given up.");
  }

  /** Sends a refused change again with other values. */
  async function correct(rejection) {
    const { className, objectId } = rejection;
    const title = `Correct your change to ${nameOf(rejection)}`;
    const save = async (object) => {
      await api.retryRejection(rejection.id, object);
      await look();
      notices.tell("It will be sent again.");
    };
    const fields = fieldsOf(className);
    const draft = drafts.of("correction", rejection.id, state.values.className);
    try {
      openCorrectionForm({ title, rejection, object: await api.read(className, objectId), fields, services, draft, save });
    } catch (error) {
      notices.warn(error.message);
    }
  }

  async function resolve(conflict, { keep, done, label, isDanger }) {
    const text = `${nameOf(conflict)} goes for good.`;
    if (isDanger && !(await ask({ title: `${label}?`, text, yes: "Delete", danger: true }))) return;
    await perform(() => resolveSeen(api, conflict, keep), done);
  }

  /** Settles a conflict field by field. */
  function decideByField(conflict) {
    const save = async (keep, object) => {
      await resolveSeen(api, conflict, keep, object);
      await look();
      notices.tell("Decided. It is sent with the next sync.");
    };
    const title = `Decide about ${nameOf(conflict)}`;
    const draft = drafts.of("conflict", conflict.id, state.values.className);
    openConflictDialog({ title, conflict, fields: fieldsOf(conflict.className), services, draft, save });
  }

  async function confirmRemoval(removal) {
    const isOlder = removal.olderIds?.length > 0;
    const away = "They are taken away here as well.";
    const lost = isOlder ? "Objects that the remote lacks are taken away here, and edited ones become as they were before." : away;
    const text = `${lost} Changes of yours to them that wait are kept as conflicts.`;
    const yes = isOlder ? "Take theirs" : "Remove";
    if (!(await ask({ title: removalWords(removal).question, text, yes, danger: true }))) return;
    await perform(() => api.confirmRemoval(removal.id), isOlder ? "Theirs is taken." : "Removed.");
  }

  return {
    /** Opens the form of a draft again. Returns whether it is one of these, and still to be decided. */
    reopen({ kind, subject }, { rejections, conflicts }) {
      if (kind !== "correction" && kind !== "conflict") return false;
      const [items, open] = kind === "correction" ? [rejections, correct] : [conflicts, decideByField];
      const item = items.find(({ id }) => id === subject);
      if (item) open(item);
      return item !== undefined;
    },
    undo,
    giveUp,
    correct,
    resolve,
    decideByField,
    confirmRemoval,
    retry: (rejection) => perform(() => api.retryRejection(rejection.id), "It will be sent again."),
    /** Takes the remote's values after all, as an edit of one's own. */
    useTheirs: (conflict, fields) =>
      perform(
        () => updateSeen(api, conflict, fields, conflict.local ?? {}, nameOf(conflict)),
        (isSaved) => (isSaved ? "Theirs is back. It is sent as an edit of yours." : `${nameOf(conflict)} stays as it is.`),
      ),
    keepRemoval: (removal) =>
      perform(
        () => api.keepRemoval(removal.id),
        removal.reason === "tooMany" ? "They are kept." : "They will be sent again.",
      ),
  };
}
