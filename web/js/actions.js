// What a person can do on the page. Each action asks where something could be lost, calls the gateway, tells how it
// went, and looks again.

import { ask } from "./dialog.js";
import { openJsonForm, openObjectForm, openOperationsForm } from "./object-form.js";
import { presentationOf } from "./presentations.js";
import { reveal } from "./reveal.js";
import { isReplica, isRunning, summaryWords, tideOf } from "./sync-words.js";

/** How often to look whether a sync that was asked for is over. */
const syncLookMs = 250;

export function createActions({ api, state, names, notices, look }) {
  /** Does one thing, says so, and brings the page up to date. */
  async function perform(work, done) {
    try {
      const answer = await work();
      await look();
      if (done) notices.tell(typeof done === "function" ? done(answer) : done);
      return true;
    } catch (error) {
      notices.warn(error.message);
      await look();
      return false;
    }
  }

  function openForm(className, object, asJson = false) {
    const { one, fields } = presentationOf(className);
    const isNew = object === null;
    const title = isNew ? `Add ${article(one)} ${one}` : `Edit ${names.of(className, object.objectId)}`;
    const save = async (changes) => {
      const objectId = object?.objectId ?? (await api.create(className, changes)).objectId;
      if (!isNew) await api.update(className, objectId, changes);
      await look();
      notices.tell(isNew ? "Added." : "Saved.");
      // After the form has closed, which gives the focus back to where it came from, where that is still there.
      setTimeout(() => reveal(objectId, document.activeElement === document.body));
    };
    if (fields === null || asJson) return openJsonForm({ title, object, save });
    openObjectForm({ title, fields, object, save, onJson: isNew ? null : () => openForm(className, object, true) });
  }

  async function remove(className, object) {
    const name = names.of(className, object.objectId);
    const text = isReplica(state.values)
      ? "It goes from here now, and from the remote with the next sync. Until then you can undo this under Waiting."
      : "It goes from this gateway for good.";
    if (!(await ask({ title: `Delete ${name}?`, text, yes: "Delete", danger: true }))) return;
    const neighbour = neighbourOf(object.objectId) ?? document.getElementById("main");
    const isGone = await perform(() => api.remove(className, object.objectId), `${name} deleted.`);
    // The button that had the focus went with its entry; the reader's place in the list stays.
    if (isGone) neighbour.focus({ preventScroll: true });
  }

  async function refresh() {
    if (!isReplica(state.values) || isRunning(state.values)) return;
    notices.clear();
    state.update({ refreshing: true });
    look();
    try {
      await api.startSync();
      await syncEnd();
      state.update({ refreshing: false });
      tellOutcome();
    } catch (error) {
      state.update({ refreshing: false });
      await look();
      notices.warn(error.message);
    }
  }

  /** Follows the sync to its end, however long it takes. Between two syncs the gateway may look idle for a moment. */
  async function syncEnd() {
    let idleLooks = 0;
    while (idleLooks < 2) {
      await new Promise((resolve) => setTimeout(resolve, syncLookMs));
      await look();
      const { connection, status } = state.values;
      if (connection !== "connected") return;
      idleLooks = status.state === "running" ? 0 : idleLooks + 1;
    }
  }

  /** How the sync went. That the remote is away is no mishap: it is told in the same words as at the top. */
  function tellOutcome() {
    const { connection, status } = state.values;
    if (connection !== "connected" || status.state === "paused") return;
    if (!status.online) {
      const { headline, sentence } = tideOf(state.values);
      return notices.tell(`${headline}. ${sentence}`);
    }
    if (status.lastError) return notices.warn(status.lastError.message);
    notices.tell(summaryWords(status.lastSummary ?? {}));
  }

  async function undo(change) {
    const name = names.of(change.className, change.objectId);
    if (change.kind === "create") {
      const text = "It exists only here and was not sent yet. Undoing takes it away.";
      if (!(await ask({ title: `Undo adding ${name}?`, text, yes: "Undo", danger: true }))) return;
    }
    await perform(() => api.undoPending(change.id), "Undone.");
  }

  async function giveUp(rejection) {
    const name = names.of(rejection.className, rejection.objectId);
    const text =
      rejection.kind === "create"
        ? "The new object is taken away here."
        : "Your change is dropped, and the remote's state shown.";
    if (!(await ask({ title: `Give up your change to ${name}?`, text, yes: "Give up", danger: true }))) return;
    await perform(() => api.giveUpRejection(rejection.id), "Given up.");
  }

  /** Sends a refused change again with other values. */
  function correct(rejection) {
    const title = `Correct your change to ${names.of(rejection.className, rejection.objectId)}`;
    const save = async (operations) => {
      await api.retryRejection(rejection.id, operations);
      await look();
      notices.tell("It will be sent again.");
    };
    openOperationsForm({ title, operations: rejection.operations, save });
  }

  async function resolve(conflict, { keep, done, label, isDanger }) {
    const name = names.of(conflict.className, conflict.objectId);
    if (isDanger && !(await ask({ title: `${label}?`, text: `${name} goes for good.`, yes: "Delete", danger: true }))) {
      return;
    }
    await perform(() => api.resolveConflict(conflict.id, keep), done);
  }

  async function confirmRemoval(removal) {
    const text = "They are taken away here as well. Changes of yours to them that wait are kept as conflicts.";
    const title = `Remove ${removal.objects} of ${removal.of} ${removal.className} objects?`;
    if (!(await ask({ title, text, yes: "Remove", danger: true }))) return;
    await perform(() => api.confirmRemoval(removal.id), "Removed.");
  }

  return {
    add: (className) => openForm(className, null),
    edit: (className, object) => openForm(className, object),
    remove,
    refresh,
    undo,
    giveUp,
    confirmRemoval,
    retry: (rejection) => perform(() => api.retryRejection(rejection.id), "It will be sent again."),
    correct,
    resolve,
    /** Takes the remote's values after all, as an edit of one's own. */
    useTheirs: ({ className, objectId }, fields) =>
      perform(() => api.update(className, objectId, fields), "Theirs is back. It is sent as an edit of yours."),
    keepRemoval: (removal) => perform(() => api.keepRemoval(removal.id), "They are kept."),
    setPaused: (isPaused) =>
      perform(isPaused ? api.pause : api.resume, isPaused ? "Working offline. Changes wait here." : "Back online."),
    /** Asks for a sync because the page is seen again; how it goes shows in the status. */
    async syncWhenSeen() {
      const { status } = state.values;
      if (!isReplica(state.values) || status.state !== "idle") return;
      await api.startSync().catch(() => {});
      look();
    },
  };
}

/** The entry after that of an object, or the one before the last. */
function neighbourOf(objectId) {
  const entries = [...document.querySelectorAll("#main [data-object]")];
  const at = entries.findIndex((entry) => entry.dataset.object === objectId);
  return entries[at + 1] ?? entries[at - 1] ?? null;
}

function article(word) {
  return /^[aeiou]/.test(word) ? "an" : "a";
}
