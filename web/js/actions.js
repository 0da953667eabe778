// What a person can do on the page. Each action asks where something could be lost, calls the gateway, tells how it
// went, and looks again.

import { createDecisions } from "./decisions.js";
import { createDeletions } from "./deletions.js";
import { isFocusLost } from "./dialog.js";
import { createServices } from "./editors/services.js";
import { formFields } from "./field-types.js";
import { openJsonForm, openObjectForm } from "./object-form.js";
import { watchObject } from "./object-watch.js";
import { presentationOf } from "./presentations.js";
import { reveal } from "./reveal.js";
import { decisionWords, isReplica, summaryWords, tideOf } from "./sync-words.js";
import { isolated } from "./values.js";

/** How often to look whether a sync that was asked for is over. */
const syncLookMs = 250;

export function createActions({ api, state, names, notices, drafts, look }) {
  const services = createServices(api, names, () => state.values.status?.fileBytesMax ?? null);

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
    return fields ?? formFields(state.values.types.get(className) ?? {}, state.values.lists.get(className)?.objects ?? []);
  }

  function openForm(className, present, asJson = false) {
    const { one, fields } = presentationOf(className);
    const isNew = present === null;
    const kind = asJson ? "json" : "object";
    const draft = drafts.of(kind, [className, present?.objectId ?? null], state.values.className, present);
    // A draft was typed over the object as it was then.
    const object = draft.details;
    const title = isNew ? `Add ${article(one)} ${one}` : `Edit ${isolated(names.of(className, object.objectId))}`;
    const saveAnew = async (fields) => {
      const { objectId } = await api.create(className, fields);
      await show(className, objectId, "Added.");
    };
    const save = async (changes, tag) => {
      if (isNew) return saveAnew(changes);
      await api.update(className, object.objectId, changes, tag);
      await show(className, object.objectId, "Saved.");
    };
    const watch = (shown, onChange) => watchObject({ api, state }, className, shown, onChange);
    if (asJson) return openJsonForm({ title, object, draft, save, saveAnew, watch });
    const onJson = isNew ? null : (newest) => openForm(className, newest, true);
    const takesNewFields = fields === null;
    openObjectForm({ title, fields: fieldsOf(className), object, services, takesNewFields, draft, save, saveAnew, watch, onJson });
  }

  /** Reads the saved object, and leads to it. */
  async function show(className, objectId, words) {
    await look();
    // After the form has closed, which gives the focus back to where it came from, where that is still there.
    setTimeout(async () => {
      const isLost = isFocusLost();
      const isSeen = reveal(objectId, isLost) || reveal(await idNow(className, objectId), isLost);
      notices.tell(isSeen ? words : `${words} It is not among what is shown now.`);
    });
  }

  /** The id of an object, which is another one since the remote has given it one of its own. */
  async function idNow(className, objectId) {
    return (await api.read(className, objectId).catch(() => ({ objectId }))).objectId;
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

  const decisions = createDecisions({ api, state, names, notices, drafts, perform, look, fieldsOf, services });
  return {
    add: (className) => openForm(className, null),
    edit: (className, object) => openForm(className, object),
    refresh,
    ...createDeletions({ api, state, names, notices, look }),
    ...decisions,
    /** Opens the form of a draft again. Returns whether it is one of these, and its subject still exists. */
    reopen(draft) {
      const { kind, subject, details } = draft;
      if (kind !== "object" && kind !== "json") return decisions.reopen(draft, state.values);
      openForm(subject[0], details, kind === "json");
      return true;
    },
    setPaused: (isPaused) =>
      perform(isPaused ? api.pause : api.resume, isPaused ? "Working offline. Changes wait here." : "Back online."),
    /**
     * Asks for a sync because a person looks at the page: when it is opened, and when it is seen again. The address of the page has
     * no part in it, a paused gateway stays paused, and the request says nothing that the gateway would not do each minute by itself.
     */
    async syncWhenSeen() {
      if (!isReplica(state.values) || state.values.status.state === "paused") return;
      await api.startSync().catch(() => {});
      look();
    },
  };
}

function article(word) {
  return /^[aeiou]/.test(word) ? "an" : "a";
}
