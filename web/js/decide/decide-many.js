// Makes one decision about many conflicts, rejected changes or held removals.

import { entryTexts } from "./choices.js";
import { openDecide } from "./decide-dialog.js";
import { undoOfDecisions } from "./decision-undo.js";
import { entryChanged } from "../api.js";
import { inParallel } from "../bulk/in-parallel.js";
import { runJob } from "../bulk/job.js";
import { placedIn } from "../decisions.js";
import { counted, t } from "../texts.js";
import { isolated } from "../values.js";

/** The maximum number of decisions that are sent at once. Between them the user can stop. */
const sentMax = 40;

/** @param offerUndo `(words, undo)`: offers to undo an action; `dropUndo` removes the offer. See `undo-bar.js` */
export function createDecideMany({ api, state, names, notices, reload, offerUndo, dropUndo }) {
  const nameOf = ({ className, objectId }) => isolated(objectId ? names.of(className, objectId) : className);

  /** Sends a decision about a held removal. */
  function sendRemoval({ id }, entry) {
    const removal = placedIn(state.values, entry);
    return id === "keep" ? api.keepRemoval(removal) : api.confirmRemoval(removal);
  }

  /** Sends a decision about some items, and resolves to their results. All items are in the data of the same user. */
  async function sendSome(list, choice, items) {
    const decisions = items.map(({ entry: { id, tag } }) => ({ list, id, decision: choice.keep ?? wordOf(choice), tag }));
    try {
      const answers = await api.decideMany(decisions, items[0].entry.space);
      return items.map((item, at) => resultOf(item, answers[at].error));
    } catch (error) {
      return items.map((item) => ({ item, reason: error.message }));
    }
  }

  async function sendAll(list, choice, items, { tell, isStopped }) {
    const results = [];
    const take = (some) => tell(results.push(...some));
    const stopped = (item) => ({ item, reason: t("You stopped before this one.") });
    if (list === "removals") {
      await inParallel(items, async (item) => {
        if (isStopped()) return take([stopped(item)]);
        const error = await sendRemoval(choice, item.entry).then(() => undefined, (error) => error);
        take([error ? { item, reason: error.message } : { item, isDone: true }]);
      });
      return results;
    }
    for (const ofSpace of Map.groupBy(items, ({ entry }) => entry.space).values()) {
      for (let at = 0; at < ofSpace.length; at += sentMax) {
        const some = ofSpace.slice(at, at + sentMax);
        take(isStopped() ? some.map(stopped) : await sendSome(list, choice, some));
      }
    }
    return results;
  }

  async function decide(list, choice) {
    const done = await runJob({
      title: entryTexts[list].deciding,
      items: choice.entries.map((entry) => ({ entry, name: nameOf(entry) })),
      send: (items, progress) => sendAll(list, choice, items, progress),
      doneText: choice.done,
      overwrite: "",
    });
    if (done.length === 0) return reload();
    const words = `${choice.done(done.length)}.`;
    const undo = undoOfDecisions(list, choice.id, done);
    if (undo === null) {
      dropUndo();
      await reload();
      return notices.tell(words);
    }
    const rest = done.length - undo.items.length;
    offerUndo(rest > 0 ? `${words} ${t("The page cannot undo {decisions} of other users.", { decisions: counted(rest, "decision") })}` : words, undo);
    await reload();
  }

  return {
    /** Opens the dialog that decides all entries of a list, or those of a class or reason. */
    decideAll(list, preferred) {
      openDecide({ list, entries: state.values[list], preferred, decide: (choice) => decide(list, choice) });
    },
    /**
     * Offers to undo a decision about one entry, in place of the action before. Without a way to undo it, offers nothing. Returns
     * whether it offers an undo.
     */
    offerUndoOf(list, choice, entry, words) {
      const undo = undoOfDecisions(list, choice, [{ entry, name: nameOf(entry) }]);
      if (undo === null) dropUndo();
      else offerUndo(words, undo);
      return undo !== null;
    },
  };
}

/** The word of the API for a decision about a rejected change. */
const wordOf = ({ id }) => (id === "again" ? "retry" : "discard");

function resultOf(item, error) {
  return error === undefined ? { item, isDone: true } : { item, reason: error.changed === true ? entryChanged : error.error };
}
