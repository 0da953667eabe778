// Makes one decision about many conflicts, rejected changes or held removals.

import { entryTexts } from "./choices.js";
import { openDecide } from "./decide-dialog.js";
import { undoOfDecisions } from "./decision-undo.js";
import { entryKey } from "../authors.js";
import { inParallel } from "../bulk/in-parallel.js";
import { runJob } from "../bulk/job.js";
import { placedIn } from "../decisions.js";
import { hasChanged } from "../resolve-if-unchanged.js";
import { counted, t } from "../texts.js";
import { isolated } from "../values.js";

/** @param offerUndo `(words, undo)`: offers to undo an action, see `undo-bar.js` */
export function createDecideMany({ api, state, names, notices, reload, offerUndo }) {
  const nameOf = ({ className, objectId }) => isolated(objectId ? names.of(className, objectId) : className);

  /** Sends a decision about an entry. */
  function send(list, { id, keep }, entry) {
    if (list === "conflicts") return api.resolveConflict(entry, keep);
    if (list === "rejections") return id === "again" ? api.retryRejection(entry) : api.giveUpRejection(entry);
    const removal = placedIn(state.values, entry);
    return id === "keep" ? api.keepRemoval(removal) : api.confirmRemoval(removal);
  }

  /** The conflicts that have changed since the user saw them, by their keys. */
  async function changedConflicts(entries) {
    const spaces = new Set(entries.map(({ space }) => space));
    const present = (await Promise.all([...spaces].map((space) => api.conflicts(space)))).flat();
    const byKey = new Map(present.map((conflict) => [entryKey(conflict), conflict]));
    return new Set(entries.filter((entry) => byKey.has(entryKey(entry)) && hasChanged(entry, byKey.get(entryKey(entry)))).map(entryKey));
  }

  async function sendAll(list, choice, items, { tell, isStopped }) {
    const changed = list === "conflicts" ? await changedConflicts(items.map(({ entry }) => entry)) : new Set();
    const results = [];
    await inParallel(items, async (item) => {
      results.push(await result(item));
      tell(results.length);
    });
    return results;

    async function result(item) {
      if (isStopped()) return { item, reason: t("You stopped before this one.") };
      if (changed.has(entryKey(item.entry))) return { item, reason: t("The object has changed again. Check the conflict before you decide.") };
      try {
        await send(list, choice, item.entry);
        return { item, isDone: true };
      } catch (error) {
        return { item, reason: error.message };
      }
    }
  }

  async function decide(list, choice) {
    const done = await runJob({
      title: entryTexts[list].deciding,
      items: choice.entries.map((entry) => ({ entry, name: nameOf(entry) })),
      send: (items, progress) => sendAll(list, choice, items, progress),
      doneText: choice.done,
      overwrite: "",
    });
    await reload();
    if (done.length === 0) return;
    const words = `${choice.done(done.length)}.`;
    const undo = undoOfDecisions(list, choice.id, done);
    if (undo === null) return notices.tell(words);
    const rest = done.length - undo.items.length;
    offerUndo(rest > 0 ? `${words} ${t("The page cannot undo {decisions} of other users.", { decisions: counted(rest, "decision") })}` : words, undo);
  }

  return {
    /** Opens the dialog that decides all entries of a list, or those of a class or reason. */
    decideAll(list, preferred) {
      openDecide({ list, entries: state.values[list], preferred, decide: (choice) => decide(list, choice) });
    },
    /** Offers to undo a decision about one entry. Returns whether the page can undo it. */
    offerUndoOf(list, choice, entry, words) {
      const undo = undoOfDecisions(list, choice, [{ entry, name: nameOf(entry) }]);
      if (undo !== null) offerUndo(words, undo);
      return undo !== null;
    },
  };
}
