// What a person can do on the page. Each action asks where something could be lost, calls the gateway, tells how it
// went, and looks again.

import { UnreachableError } from "./api.js";
import { ask } from "./dialog.js";
import { openJsonForm, openObjectForm } from "./object-form.js";
import { presentationOf } from "./presentations.js";
import { reveal } from "./reveal.js";
import { isReplica, isRunning, summaryWords } from "./sync-words.js";

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
    const isGone = await perform(() => api.remove(className, object.objectId), `${name} deleted.`);
    // The button that had the focus went with its entry.
    if (isGone) document.getElementById("main").focus();
  }

  async function refresh() {
    if (!isReplica(state.values) || isRunning(state.values)) return;
    notices.clear();
    state.update({ refreshing: true });
    look();
    try {
      const summary = await api.runSync();
      state.update({ refreshing: false });
      await look();
      notices.tell(summaryWords(summary));
    } catch (error) {
      state.update({ refreshing: false });
      await look();
      // A very long sync may outlast the request that waited for it; the status tells how it goes on.
      const isOnlyTheRequest = error instanceof UnreachableError && state.values.connection === "connected";
      if (!isOnlyTheRequest) notices.warn(error.message);
    }
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
    resolve: (conflict, keep) =>
      perform(() => api.resolveConflict(conflict.id, keep), keep === "local" ? "Yours is kept." : "Theirs is kept."),
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

function article(word) {
  return /^[aeiou]/.test(word) ? "an" : "a";
}
