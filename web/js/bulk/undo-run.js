// Undoes an action for many objects, of one class or several. The objects and the queue are read again before each round.

import { inParallel } from "./in-parallel.js";
import { readByIds } from "./read-selected.js";
import { t } from "../texts.js";
import { lostChanges } from "./undo-step.js";
import { pathOf, writeAll } from "./write-batches.js";
import { ApiError } from "../api.js";

/** The maximum number of pending changes that the gateway lists, the oldest ones. */
const listedMax = 1_000;

/**
 * An undo is {items, stepOf, keys}. `items` are [{className, objectId, name, …}]. `stepOf(item, present, pending, isWhole)` returns the
 * step for an item, see `undo-step.js`. `keys` are the fields to read; null for all.
 *
 * @param pendingOf resolves to the pending changes of the user of the page
 */
export function createUndoRun({ api, pendingOf }) {
  /** The items of an undo with their steps: [{item, step}]. */
  async function stepsFor({ stepOf, keys }, items, signal) {
    const present = new Map();
    for (const [className, some] of Map.groupBy(items, ({ className }) => className)) {
      const found = await readByIds(api, className, some.map(({ objectId }) => objectId), { keys, signal });
      for (const [id, object] of found) present.set(keyOf({ className, objectId: id }), object);
    }
    const all = await pendingOf();
    const pending = Map.groupBy(all, keyOf);
    return items.map((item) => {
      const object = present.get(keyOf(item));
      const own = pending.get(keyOf({ ...item, objectId: object?.objectId ?? item.objectId })) ?? [];
      return { item, step: stepOf(item, object, own, all.length < listedMax) };
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
          results.push(...(await sendRest(all, { tell: (count) => tell(results.length + count), isStopped })));
          return results;
        }
        await inParallel(listed, async (one) => {
          if (isStopped()) return;
          results.push(await withdraw(one));
          tell(results.length);
        });
        const ended = new Set(results.map(({ item }) => item));
        left = left.filter((item) => !ended.has(item));
      }
    } catch (error) {
      if (!signal.aborted) return [...results, ...left.map((item) => ({ item, reason: error.message }))];
    }
    const ended = new Set(results.map(({ item }) => item));
    return [...results, ...left.filter((item) => !ended.has(item)).map((item) => ({ item, reason: t("You stopped before this one.") }))];
  }

  async function sendRest(all, { tell, isStopped }) {
    const steps = all.map(({ item, step }) => ({ item, step: step.otherwise ?? step }));
    const of = (action) => steps.filter(({ step }) => step.action === action);
    const writes = [...of("write"), ...of("delete")];
    const bodies = writes.map(({ item: { className, objectId }, step: { fields, tag } }) => ({
      method: fields === undefined ? "DELETE" : "PUT", path: pathOf(className, objectId), body: fields, ifMatch: tag,
    }));
    return [
      ...of("leave").map(({ item, step }) => ({ item, reason: step.reason })),
      ...resultsOf(writes, await writeAll(api, bodies, { tell, isStopped })),
      ...(await createAll(of("create"), { tell: (count) => tell(writes.length + count), isStopped })),
    ];
  }

  async function withdraw({ item, step }) {
    try {
      await api.undoPending(step.pending);
      if (item.object) await restore(item);
      return { item, isDone: true };
    } catch (error) {
      const isSent = error instanceof ApiError && (error.status === 409 || error.status === 404);
      return { item, reason: isSent ? t("It is being sent now") : error.message };
    }
  }

  /** Makes the changes again that waited to be sent before the object was deleted. */
  async function restore(item) {
    if (item.state === "synced") return;
    const present = await api.read(item.className, item.objectId);
    const changes = lostChanges(item, present);
    if (changes !== null) await api.update(item.className, item.objectId, changes, present._sync?.tag);
  }

  async function createAll(all, progress) {
    const create = ({ className }, body) => ({ method: "POST", path: pathOf(className), body });
    const withId = ({ item, step }) => create(item, { ...step.fields, objectId: item.objectId });
    const withoutId = ({ item, step }) => create(item, step.fields);
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

function keyOf({ className, objectId }) {
  return `${className}/${objectId}`;
}

function resultsOf(all, results) {
  return all.map(({ item }, at) => {
    const { isDone, present, reason } = results[at];
    return isDone ? { item, isDone } : { item, reason: present ? t("It has changed meanwhile") : reason };
  });
}
