// What a person can do on the page. Each action asks where something could be lost, calls the gateway, tells how it
// went, and looks again.

import { ask, isFocusLost } from "./dialog.js";
import { createDecisions } from "./decisions.js";
import { createServices } from "./editors/services.js";
import { formFields } from "./field-types.js";
import { openJsonForm, openObjectForm } from "./object-form.js";
import { presentationOf } from "./presentations.js";
import { reveal } from "./reveal.js";
import { decisionWords, isReplica, summaryWords, tideOf } from "./sync-words.js";

/** How often to look whether a sync that was asked for is over. */
const syncLookMs = 250;

export function createActions({ api, state, names, notices, look }) {
  const services = createServices(api, names);

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

  /** What can be edited of a class: what its presentation says, else one editor for each field that is known. */
  function fieldsOf(className) {
    const { fields } = presentationOf(className);
    return fields ?? formFields(state.values.types[className] ?? {}, state.values.lists[className]?.objects ?? []);
  }

  function openForm(className, object, asJson = false) {
    const { one, fields } = presentationOf(className);
    const isNew = object === null;
    const title = isNew ? `Add ${article(one)} ${one}` : `Edit ${names.of(className, object.objectId)}`;
    const save = async (changes) => {
      const objectId = object?.objectId ?? (await api.create(className, changes)).objectId;
      if (!isNew) await api.update(className, objectId, changes);
      await look();
      // After the form has closed, which gives the focus back to where it came from, where that is still there.
      setTimeout(async () => {
        const isLost = isFocusLost();
        const isSeen = reveal(objectId, isLost) || reveal(await idNow(className, objectId), isLost);
        const words = isNew ? "Added." : "Saved.";
        notices.tell(isSeen ? words : `${words} It is not among what is shown now.`);
      });
    };
    if (asJson) return openJsonForm({ title, object, save });
    const onJson = isNew ? null : () => openForm(className, object, true);
    openObjectForm({ title, fields: fieldsOf(className), object, services, takesNewFields: fields === null, save, onJson });
  }

  /** The id of an object, which is another one since the remote has given it one of its own. */
  async function idNow(className, objectId) {
    return (await api.read(className, objectId).catch(() => ({ objectId }))).objectId;
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
    // A sync that runs already may have read before what this press is about: another one follows it.
    if (!isReplica(state.values) || state.values.refreshing) return;
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
    const open = decisionWords(status);
    notices.tell(summaryWords(status.lastSummary ?? {}) + (open && ` To be decided: ${open}.`));
  }

  return {
    add: (className) => openForm(className, null),
    edit: (className, object) => openForm(className, object),
    remove,
    refresh,
    ...createDecisions({ api, names, notices, perform, look, fieldsOf, services }),
    setPaused: (isPaused) =>
      perform(isPaused ? api.pause : api.resume, isPaused ? "Working offline. Changes wait here." : "Back online."),
    /** Asks for a sync because the page is seen again, after the one that may run; how it goes shows in the status. */
    async syncWhenSeen() {
      if (!isReplica(state.values) || state.values.status.state === "paused") return;
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
