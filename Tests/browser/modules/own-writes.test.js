import { createOwnWrites } from "../../../web/js/own-writes.js";
import { equal, test } from "./check.js";

const ark = { objectId: "a1", name: "Ark", updatedAt: "2031-01-01T00:00:00.000Z" };

test("an object that a POST or a batch has created is an own one, by the id of the answer", () => {
  const writes = createOwnWrites();
  writes.noteCreated("POST", "classes/Boat", {}, { objectId: "a1" });
  const requests = ["/classes/Boat", "/classes/Bo%20at", "/classes/Boat/b3"].map((path) => ({ method: "POST", path }));
  const answers = [{ error: { code: 119 } }, { success: { objectId: "b2" } }, { success: { objectId: "b3" } }];
  writes.noteCreated("POST", "batch", { requests }, answers);
  equal(["a1", "b2", "b3"].map((objectId) => writes.isOwn("Boat", { objectId })), [true, false, false]);
  equal(writes.isOwn("Bo at", { objectId: "b2" }), true);
});

test("a call of a function creates no object", () => {
  const writes = createOwnWrites();
  writes.noteCreated("POST", "functions/find", {}, { objectId: "a1" });
  equal(writes.isOwn("find", ark), false);
});

test("an own object is one of others after their change of its fields, and not after that of its times", () => {
  const writes = createOwnWrites();
  writes.noteCreated("POST", "classes/Boat", {}, { objectId: "a1" });
  equal(writes.isOwn("Boat", ark), true);
  equal(writes.isOwn("Boat", { ...ark, updatedAt: "2031-01-02T00:00:00.000Z" }), true);
  equal(writes.isOwn("Boat", { ...ark, name: "Bark" }), false);
});

test("undoing a pending change writes its object, and undoing a create deletes it", () => {
  const writes = createOwnWrites();
  writes.noteUndo({ className: "Boat", objectId: "a1", kind: "delete" });
  writes.noteUndo({ className: "Boat", objectId: "a2", kind: "create" });
  equal([writes.isOwn("Boat", ark), writes.isOwnDeletion("Boat", "a1"), writes.isOwnDeletion("Boat", "a2")], [true, false, true]);
});
