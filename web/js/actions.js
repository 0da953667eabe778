// The actions behind the page's buttons. Most actions call the gateway, reload the state, and show the outcome. Some actions open
// a form or ask for confirmation first.

import { createDecisions } from "./decisions.js";
import { createDeletions } from "./deletions.js";
import { formFields } from "./field-types.js";
import { createObjectActions } from "./object-actions.js";
import { presentationOf } from "./presentations.js";
import { decisionText, isReplica, summaryText, statusLine } from "./sync-text.js";
import { t } from "./texts.js";

/** The interval in milliseconds at which the page checks whether a requested sync has finished. */
const syncCheckMs = 250;

/**
 * @param amend see `navigation.js`
 * @param references, rows, caller, showDecision see `object-actions.js`
 * @param offerUndoOf `(list, choice, entry, words)`: offers to undo a decision, if the page can undo it
 * @param dropUndo removes the offer to undo the action before
 */
export function createActions({
  api, state, names, notices, drafts, services, references, rows, caller, showDecision, reload, offerUndoOf, dropUndo, listens, amend,
}) {
  /**
   * Runs a request and reloads the state. Shows a warning after a failure. Returns whether the request succeeded.
   *
   * @param done the notice after a success: a text, or a function that makes the text from the answer; null for no notice
   * @param about the subject of the notices, see `notices.js`
   */
  async function perform(work, done, about = null) {
    try {
      const answer = await work();
      await reload();
      notices.settle(about);
      const words = typeof done === "function" ? done(answer) : done;
      if (words) notices.tell(words, { about });
      return true;
    } catch (error) {
      notices.warn(error.message, { about });
      await reload();
      return false;
    }
  }

  /** The editable fields of a class: the fields that its presentation lists, or, for a table, the known fields with an editor. */
  function fieldsOf(className) {
    const { fields } = presentationOf(state.values, className);
    return fields ?? formFields(state.values.types.get(className) ?? {}, state.values.lists.get(className)?.objects ?? []);
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
    notices.tell(summaryText(status.lastSummary ?? {}) + (open && t(" Decision needed: {open}.", { open })));
  }

  const decisions = createDecisions({ api, state, names, notices, drafts, perform, reload, fieldsOf, services, offerUndoOf, dropUndo, amend });
  const deletions = createDeletions({ api, state, names, notices, reload });
  const page = { api, state, names, notices, drafts, services, references, rows, caller, showDecision, reload, amend };
  const objects = createObjectActions({ ...page, remove: deletions.remove, undo: decisions.undo }, fieldsOf);
  return {
    refresh,
    ...objects,
    ...deletions,
    ...decisions,
    /** Reopens the form of a draft about an object or an open decision. Returns false for any other draft. */
    reopen: (draft) => objects.reopenObject(draft) || decisions.reopen(draft, state.values),
    setPaused: (isPaused) =>
      perform(isPaused ? api.pause : api.resume, isPaused ? t("Working offline. Your changes stay on this device for now.") : t("Back online.")),
    /**
     * Requests a sync when the page is opened or becomes visible again. A paused gateway stays paused. A link on another site can
     * open the page and so start a sync, which is harmless.
     */
    async syncWhenSeen() {
      if (!isReplica(state.values) || state.values.status.state === "paused") return;
      await api.startSync().catch(() => {});
      // The gateway's events report the progress of the sync.
      if (!listens()) reload();
    },
  };
}
