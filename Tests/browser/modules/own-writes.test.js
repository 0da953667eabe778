import { createOwnWrites } from "../../../web/js/own-writes.js";
import { equal, test } from "./check.js";

const ark = { objectId: "a1", name: "Ark", updatedAt: "2031-01-01T00:00:00.000Z" };
const bark = { ...ark, name: "Bark" };

/** Whether an object that is read now is an own one. */
const isOwn = (writes, className, object) => writes.isOwn(className, object, writes.endedCount());

test("an object that a POST or a batch has created is an own one, by the id of the answer", () => {
  const writes = createOwnWrites();
  writes.start("POST", "classes/Boat", {}).succeeded({ objectId: "a1" });
  const requests = ["/classes/Boat", "/classes/Bo%20at", "/classes/Boat/b3"].map((path) => ({ method: "POST", path }));
  const answers = [{ error: { code: 119 } }, { success: { objectId: "b2" } }, { success: { objectId: "b3" } }];
  writes.start("POST", "batch", { requests }).succeeded(answers);
  equal(["a1", "b2", "b3"].map((objectId) => isOwn(writes, "Boat", { objectId })), [true, false, false]);
  equal(isOwn(writes, "Bo at", { objectId: "b2" }), true);
});

test("a call of a function creates no object", () => {
  const writes = createOwnWrites();
  writes.start("POST", "functions/find", {}).succeeded({ objectId: "a1" });
  equal(isOwn(writes, "find", ark), false);
});

test("an own object is one of others after their change of its fields, and not after that of its times", () => {
  const writes = createOwnWrites();
  writes.start("POST", "classes/Boat", {}).succeeded({ objectId: "a1" });
  equal(isOwn(writes, "Boat", ark), true);
  equal(isOwn(writes, "Boat", { ...ark, updatedAt: "2031-01-02T00:00:00.000Z" }), true);
  equal(isOwn(writes, "Boat", bark), false);
});

test("an object that was read before its write ended is an own one with any fields", () => {
  const writes = createOwnWrites();
  const write = writes.start("PUT", "classes/Boat/a1", { name: "Bark" });
  equal(isOwn(writes, "Boat", ark), true);
  const before = writes.endedCount();
  write.succeeded({});
  equal(writes.isOwn("Boat", ark, before), true);
  equal([bark, ark].map((object) => isOwn(writes, "Boat", object)), [true, false]);
});

test("a write without an answer is an own one", () => {
  const writes = createOwnWrites();
  writes.start("PUT", "classes/Boat/a1", { name: "Bark" }).unknown();
  equal([bark, ark].map((object) => isOwn(writes, "Boat", object)), [true, false]);
});

test("a refused write changes nothing about the writes before it", () => {
  const writes = createOwnWrites();
  writes.start("PUT", "classes/Boat/a2", {}).refused();
  equal(isOwn(writes, "Boat", { objectId: "a2" }), false);
  writes.start("PUT", "classes/Boat/a1", { name: "Ark" }).succeeded({});
  equal(isOwn(writes, "Boat", ark), true);
  writes.start("DELETE", "classes/Boat/a1").refused();
  equal([isOwn(writes, "Boat", ark), isOwn(writes, "Boat", bark), writes.isOwnDeletion("Boat", "a1")], [true, false, false]);
});

test("two writes of one object that are refused in either order leave no write", () => {
  for (const order of [[0, 1], [1, 0]]) {
    const writes = createOwnWrites();
    const both = ["Bark", "Brig"].map((name) => writes.start("PUT", "classes/Boat/a1", { name }));
    for (const at of order) both[at].refused();
    equal(isOwn(writes, "Boat", ark), false);
  }
});

test("undoing a pending change writes its object, and undoing a create deletes it", () => {
  const writes = createOwnWrites();
  writes.startUndo({ className: "Boat", objectId: "a1", kind: "delete" }).succeeded({});
  writes.startUndo({ className: "Boat", objectId: "a2", kind: "create" }).succeeded({});
  equal([isOwn(writes, "Boat", ark), writes.isOwnDeletion("Boat", "a1"), writes.isOwnDeletion("Boat", "a2")], [true, false, true]);
});
