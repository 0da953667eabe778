import { batchesOf, pathOf } from "../../../web/js/bulk/write-batches.js";
import { planOf } from "../../../web/js/bulk/set-field.js";
import { lostChanges, undoOf, undoStep } from "../../../web/js/bulk/undo-step.js";
import { equal, test } from "./check.js";

const set = { kind: "set", field: "done", value: true };
const update = { id: 7, kind: "update", phase: "pending", attempts: 0, fields: ["done"] };
const present = { objectId: "a", done: true, _sync: { state: "updated", tag: "2" } };
const write = { action: "write", fields: { done: false }, tag: "2" };

test("a value is set only on objects that have another one and may be changed", () => {
  const objects = [{ objectId: "a", done: true }, { objectId: "b" }, { objectId: "c", _sync: { denied: ["update"] } }];
  const { items, same, denied } = planOf(objects, "done", true, (id) => `name of ${id}`);
  equal([items.map(({ objectId, name }) => [objectId, name]), same, denied], [[["b", "name of b"]], 1, 1]);
  equal(planOf(objects, "done", undefined, String).items.map(({ objectId }) => objectId), ["a"]);
  // An object without a value may have a null or no value.
  equal(planOf(objects, "done", null, String).items.length, 2);
});

test("batches have a bounded number of writes and of characters", () => {
  const writes = (count, length) => Array.from({ length: count }, () => ({ body: "x".repeat(length) }));
  equal(batchesOf(writes(120, 1)).map(({ length }) => length), [50, 50, 20]);
  equal(batchesOf(writes(3, 1_500_000)).map(({ length }) => length), [1, 1, 1]);
  equal(pathOf("A b", "x/y"), "/classes/A%20b/x%2Fy");
});

test("a change that waits alone is removed from the queue", () => {
  const item = { before: false, state: "synced" };
  equal(undoStep(set, item, present, [update], true), { action: "withdraw", pending: update, otherwise: write });
  equal(undoStep(set, item, present, [], false), { action: "withdraw", pending: null, otherwise: write });
  for (const other of [{ ...update, attempts: 1 }, { ...update, phase: "inFlight" }, { ...update, fields: ["done", "hours"] }, { ...update, kind: "create" }]) {
    equal(undoStep(set, item, present, [other], true), write);
  }
  equal(undoStep(set, { before: false, state: "updated" }, present, [update], true), write);
});

test("a sent change is undone by a new one, if the field still has its value", () => {
  equal(undoStep(set, { before: false, state: "synced" }, present, [], true), write);
  equal(undoStep(set, { state: "synced" }, present, [], true).fields, { done: { __op: "Delete" } });
  equal(undoStep(set, {}, { ...present, done: false }, [], true).action, "leave");
  equal(undoStep(set, {}, undefined, [], true), { action: "leave", reason: "It was deleted" });
});

test("a deletion is withdrawn, or its object is created again without relations", () => {
  const object = { objectId: "a", name: "Ark", crew: { __type: "Relation", className: "Person" }, createdAt: "", updatedAt: "" };
  const deletion = { id: 8, kind: "delete", phase: "pending", attempts: 0, fields: [] };
  const item = { object, state: "updated" };
  equal(undoStep({ kind: "delete" }, item, undefined, [deletion], true).action, "withdraw");
  equal(undoStep({ kind: "delete" }, item, undefined, [], true), { action: "create", fields: { name: "Ark" } });
  equal(undoStep({ kind: "delete" }, item, object, [], true).action, "leave");
  equal(lostChanges(item, { objectId: "a", name: "Arc" }), { name: "Ark" });
  equal(lostChanges({ object, state: "synced" }, { objectId: "a", name: "Arc" }), null);
});

test("an undo says what it does", () => {
  const undo = undoOf({ ...set, className: "Task", items: [{ objectId: "a" }] }, ["name"]);
  equal([undo.items, undo.keys], [[{ objectId: "a", className: "Task" }], ["done", "name"]]);
  equal(undo.sentences([{ action: "write" }, { action: "withdraw" }, { action: "withdraw" }]), [
    "2 objects: the changes that wait to be sent are removed from the queue.",
    "1 object: a new change gives done its former value.",
  ]);
});
