// The actions behind the page's buttons. Most actions call the gateway, reload the state, and show the outcome. Some actions open
// a form or ask for confirmation first.

import { openAclForm } from "./acl-form.js";
import { createDecisions } from "./decisions.js";
import { createDeletions } from "./deletions.js";
import { isFocusLost } from "./dialog.js";
import { formFields, relationFields } from "./field-types.js";
import { openJsonForm, openObjectForm } from "./object-form.js";
import { isDenied, openObjectView } from "./object-view.js";
import { watchObject } from "./object-watch.js";
import { presentationOf } from "./presentations.js";
import { openAt } from "./opened.js";
import { referenceSection } from "./reference-section.js";
import { reveal } from "./reveal.js";
import { decisionText, isReplica, summaryText, statusLine } from "./sync-text.js";
import { isolated } from "./values.js";

/** The interval in milliseconds at which the page checks whether a requested sync has finished. */
const syncCheckMs = 250;

/**
 * @param references {referencesTo, showFiltered}, see `reference-section.js`
 * @param offerUndoOf `(list, choice, entry, words)`: offers to undo a decision; returns whether the page can undo it
 */
export function createActions({ api, state, names, notices, drafts, services, references, reload, offerUndoOf }) {

  /**
   * Runs a request and reloads the state. Shows a warning after a failure. Returns whether the request succeeded.
   *
   * @param done the notice after a success: a text, or a function that makes the text from the answer; undefined for no notice
   */
  async function perform(work, done) {
    try {
      const answer = await work();
      await reload();
      if (done) notices.tell(typeof done === "function" ? done(answer) : done);
      return true;
    } catch (error) {
      notices.warn(error.message);
      await reload();
      return false;
    }
  }

  /** The editable fields of a class: the fields that its presentation lists, or, for a table, the known fields with an editor. */
  function fieldsOf(className) {
    const { fields } = presentationOf(state.values, className);
    return fields ?? formFields(state.values.types.get(className) ?? {}, state.values.lists.get(className)?.objects ?? []);
  }

  /** @returns the frame of the form, or of the dialog that shows the object; `present` is null for a new object */
  function openForm(className, present, asJson = false) {
    const { one, fields } = presentationOf(state.values, className);
    const isNew = present === null;
    const kind = asJson ? "json" : "object";
    const draft = drafts.of(kind, [className, present?.objectId ?? null], state.values.className, present);
    // The form of a restored draft shows the version of the object that the user saw while typing.
    const object = draft.details;
    const name = isNew ? "" : isolated(names.of(className, object.objectId));
    const watch = (shown, onChange) => watchObject({ api, state }, className, shown, onChange);
    if (isDenied(present, "update") && draft.kept === null) return openObjectView({ title: name, object: present, watch });
    const title = isNew ? `Add ${article(one)} ${one}` : `Edit ${name}`;
    const saveAnew = async (fields) => {
      const { objectId } = await api.create(className, fields);
      await show(className, objectId, "Added.");
    };
    const save = async (changes, tag) => {
      if (isNew) return saveAnew(changes);
      await api.update(className, object.objectId, changes, tag);
      await show(className, object.objectId, "Saved.");
    };
    if (asJson) return openJsonForm({ title, object, draft, save, saveAnew, watch });
    const onJson = isNew ? null : (newest) => edit(className, newest, true);
    const onRights = isNew || !state.values.isOwner ? null : (newest) => editRights(className, newest);
    const takesNewFields = fields === null;
    const place = { className, objectId: object?.objectId ?? null };
    const relations = fields === null ? relationFields(state.values.types.get(className) ?? {}, place) : [];
    return openObjectForm({
      title,
      fields: [...fieldsOf(className), ...relations],
      object,
      services,
      takesNewFields,
      draft,
      save,
      saveAnew,
      watch,
      onJson,
      onRights,
      more: isNew ? null : referenceSection(place, references),
    });
  }

  /** Opens the form of an object, or the dialog that shows it, and writes the object into the address until the form closes. */
  function edit(className, object, asJson = false) {
    openAt(state, { className, objectId: object.objectId }, () => openForm(className, object, asJson));
  }

  /** Opens an object that may be missing in the shown list, or says that it is not there. */
  async function openById({ className, objectId }) {
    try {
      const object = await api.read(className, objectId);
      names.learn(className, [object]);
      edit(className, object);
    } catch (error) {
      notices.warn(error.isGone ? `${className} has no object with the id ${isolated(objectId)}, or you may not read it.` : error.message);
      state.update({ opened: null });
    }
  }

  /** Opens the form of an object's ACL. */
  async function editRights(className, object) {
    try {
      const [users, roles] = await Promise.all([api.owner.users(), api.owner.roles()]);
      openAclForm({
        title: `Rights of ${isolated(names.of(className, object.objectId))}`,
        acl: object.ACL,
        people: { users, roles },
        save: async (ACL) => {
          await api.update(className, object.objectId, { ACL }, object._sync?.tag);
          await reload();
          notices.tell("The rights are saved.");
        },
      });
    } catch (error) {
      notices.warn(error.message);
    }
  }

  /** Reloads the state, scrolls to the saved object if the list contains it, and shows a notice. */
  async function show(className, objectId, words) {
    await reload();
    // Waits until the form has closed and restored the previous focus.
    setTimeout(async () => {
      const isLost = isFocusLost();
      const isSeen = reveal(objectId, isLost) || reveal(await currentId(className, objectId), isLost);
      notices.tell(isSeen ? words : `${words} The current list does not show it.`);
    });
  }

  /** Returns the current id of an object. `objectId` may be a local id that the remote has replaced. */
  async function currentId(className, objectId) {
    return (await api.read(className, objectId).catch(() => ({ objectId }))).objectId;
  }

  async function refresh() {
    if (!isReplica(state.values) || state.values.refreshing) return;
    notices.clear();
    state.update({ refreshing: true });
    reload();
    try {
      // If a sync is running, the gateway starts another one afterwards, because the running sync may miss the newest changes.
      await api.startSync();
      await syncEnd();
      state.update({ refreshing: false });
      tellOutcome();
    } catch (error) {
      state.update({ refreshing: false });
      await reload();
      notices.warn(error.message);
    }
  }

  /**
   * Waits until two checks in a row find no running sync, or until the page is disconnected. One check is not enough, because no
   * sync runs for a moment between two syncs.
   */
  async function syncEnd() {
    let idleChecks = 0;
    while (idleChecks < 2) {
      await new Promise((resolve) => setTimeout(resolve, syncCheckMs));
      await reload();
      const { connection, status } = state.values;
      if (connection !== "connected") return;
      idleChecks = status.state === "running" ? 0 : idleChecks + 1;
    }
  }

  /** Shows a notice with the outcome of the sync. Shows nothing if the gateway is paused or the page is not connected. */
  function tellOutcome() {
    const { connection, status } = state.values;
    if (connection !== "connected" || status.state === "paused") return;
    if (!status.online) {
      const { headline, sentence } = statusLine(state.values);
      return notices.tell(`${headline}. ${sentence}`);
    }
    if (status.lastError) return notices.warn(status.lastError.message);
    const open = decisionText(status);
    notices.tell(summaryText(status.lastSummary ?? {}) + (open && ` Decision needed: ${open}.`));
  }

  const decisions = createDecisions({ api, state, names, notices, drafts, perform, reload, fieldsOf, services, offerUndoOf });
  return {
    add: (className) => openForm(className, null),
    edit,
    openById,
    refresh,
    ...createDeletions({ api, state, names, notices, reload }),
    ...decisions,
    /** Reopens the form of a draft about an object or an open decision. Returns false for any other draft. */
    reopen(draft) {
      const { kind, subject, details } = draft;
      if (kind !== "object" && kind !== "json") return decisions.reopen(draft, state.values);
      if (details === null) openForm(subject[0], null);
      else edit(subject[0], details, kind === "json");
      return true;
    },
    setPaused: (isPaused) =>
      perform(isPaused ? api.pause : api.resume, isPaused ? "Working offline. Your changes stay on this device for now." : "Back online."),
    /**
     * Requests a sync when the page is opened or becomes visible again. A paused gateway stays paused. A link on another site can
     * open the page and so start a sync, which is harmless.
     */
    async syncWhenSeen() {
      if (!isReplica(state.values) || state.values.status.state === "paused") return;
      await api.startSync().catch(() => {});
      reload();
    },
  };
}

function article(word) {
  return /^[aeiou]/.test(word) ? "an" : "a";
}
