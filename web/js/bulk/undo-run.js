// Undoes an action for many objects. The objects and the queue are read again before each round.

import { readByIds } from "./read-selected.js";
import { lostChanges, undoStep } from "./undo-step.js";
import { pathOf, writeAll } from "./write-batches.js";
import { ApiError } from "../api.js";

/** The maximum number of pending changes that the gateway lists, the oldest ones. */
const listedMax = 1_000;
/** The maximum number of requests that run at the same time. */
const requestsMax = 6;

/** @param pendingOf resolves to the pending changes of the user of the page */
export function createUndoRun({ api, names, pendingOf }) {
  /** The items of an action with their steps: [{item, step}]. */
  async function stepsFor(undone, items, signal) {
    const { className, kind, field } = undone;
    const keys = kind === "set" ? [field, ...names.keysOf(className)] : ["objectId"];
    const present = await readByIds(api, className, items.map(({ objectId }) => objectId), { keys, signal });
    const all = await pendingOf();
    const pending = Map.groupBy(
      all.filter((change) => change.className === className),
      ({ objectId }) => objectId,
    );
    return items.map((item) => {
      const object = present.get(item.objectId);
      const own = pending.get(object?.objectId ?? item.objectId) ?? [];
      return { item, step: undoStep(undone, item, object, own, all.length < listedMax) };
    });
  }

  /**
   * Undoes an action for some of its items. Resolves to the results for `runJob`. Removes the listed changes from the queue until no
   * further ones are listed, and then does the rest.
   */
  async function send(undone, items, { tell, isStopped, signal }) {
    const results = [];
    let left = items;
    try {
      for (;;) {
        if (isStopped()) break;
        const all = await stepsFor(undone, left, signal);
        const listed = all.filter(({ step }) => step.action === "withdraw" && step.pending !== null);
        if (listed.length === 0) {
          results.push(...(await sendRest(undone, all, { tell: (count) => tell(results.length + count), isStopped })));
          return results;
        }
        await inParallel(listed, async (one) => {
          if (isStopped()) return;
          results.push(await withdraw(undone, one));
          tell(results.length);
        });
        const ended = new Set(results.map(({ item }) => item));
        left = left.filter((item) => !ended.has(item));
      }
    } catch (error) {
      if (!signal.aborted) return [...results, ...left.map((item) => ({ item, reason: error.message }))];
    }
    const ended = new Set(results.map(({ item }) => item));
    return [...results, ...left.filter((item) => !ended.has(item)).map((item) => ({ item, reason: "You stopped before this one." }))];
  }

  async function sendRest(undone, all, { tell, isStopped }) {
    const steps = all.map(({ item, step }) => ({ item, step: step.otherwise ?? step }));
    const of = (action) => steps.filter(({ step }) => step.action === action);
    const writes = of("write");
    const bodies = writes.map(({ item, step }) => ({ method: "PUT", path: pathOf(undone.className, item.objectId), body: step.fields, ifMatch: step.tag }));
    return [
      ...of("leave").map(({ item, step }) => ({ item, reason: step.reason })),
      ...resultsOf(writes, await writeAll(api, bodies, { tell, isStopped })),
      ...(await createAll(undone, of("create"), { tell: (count) => tell(writes.length + count), isStopped })),
    ];
  }

  async function withdraw({ className }, { item, step }) {
    try {
      await api.undoPending(step.pending);
      if (item.object) await restore(className, item);
      return { item, isDone: true };
    } catch (error) {
      const isSent = error instanceof ApiError && (error.status === 409 || error.status === 404);
      return { item, reason: isSent ? "It is being sent now" : error.message };
    }
  }

  /** Makes the changes again that waited to be sent before the object was deleted. */
  async function restore(className, item) {
    if (item.state === "synced") return;
    const present = await api.read(className, item.objectId);
    const changes = lostChanges(item, present);
    if (changes !== null) await api.update(className, item.objectId, changes, present._sync?.tag);
  }

  async function createAll({ className }, all, progress) {
    const path = pathOf(className);
    const withId = ({ item, step }) => ({ method: "POST", path, body: { ...step.fields, objectId: item.objectId } });
    const withoutId = ({ step }) => ({ method: "POST", path, body: step.fields });
    if (all.length === 0) return [];
    // The first object shows whether the gateway takes the ids of clients.
    const [first] = await writeAll(api, [withId(all[0])], progress);
    const takesIds = first.isDone || first.code !== 105;
    const rest = takesIds ? all.slice(1) : all;
    const results = await writeAll(api, rest.map(takesIds ? withId : withoutId), progress);
    return resultsOf(all, takesIds ? [first, ...results] : results);
  }

  return { stepsFor, send };
}

function resultsOf(all, results) {
  return all.map(({ item }, at) => {
    const { isDone, present, reason } = results[at];
    return isDone ? { item, isDone } : { item, reason: present ? "It has changed meanwhile" : reason };
  });
}

/** Runs a function for each item, a few at a time. */
async function inParallel(items, run) {
  let next = 0;
  const work = async () => {
    while (next < items.length) await run(items[next++]);
  };
  await Promise.all(Array.from({ length: requestsMax }, work));
}
