import { conflictWords, settledAs } from "../../../web/js/conflict-words.js";
import { removalWords } from "../../../web/js/removal-words.js";
import { waitingReason } from "../../../web/js/waiting-words.js";
import { equal, test } from "./check.js";

test("each kind of conflict offers two answers", () => {
  for (const kind of ["fields", "deletedRemotely", "deletedLocally", "wasThisApplied", "ambiguousCreate"]) {
    equal(conflictWords({ kind }).choices.length, 2);
  }
  equal(conflictWords({ kind: "deletedLocally" }).choices.map(({ keep }) => keep), ["remote", "local"]);
  equal(conflictWords({ kind: "constructor" }).title, "Edited on both sides");
  equal(settledAs({ resolution: "merge" }), "Both were brought together");
  equal(settledAs({ resolution: "odd" }), "Settled: odd");
});

test("a removal that is held back says why", () => {
  const few = removalWords({ className: "Boat", objects: 1, of: 4, reason: "tooMany" });
  equal(few.lines[0].startsWith("1 of 4 objects is gone from the remote."), true);
  const restored = removalWords({ className: "Boat", objects: 3, of: 9, reason: "restoredBackup", objectIds: ["a"], olderIds: ["b", "c"] });
  equal(restored.lines[0].includes("It lacks 1 object. It shows 2 objects as before an edit."), true);
  equal(restored.question, "Take the remote's state of 3 Boat objects?");
  equal(removalWords({ className: "Boat", objects: 1, of: 1, reason: "neverShown" }).confirm, "Remove here");
});

test("a change that waits names what it waits for", () => {
  const names = { of: (className, objectId) => `${className} ${objectId}` };
  const none = { rejections: [], conflicts: [] };
  const change = { className: "Boat", objectId: "b", phase: "pending", operations: { crew: [{ __type: "Pointer", className: "Person", objectId: "p" }] } };
  equal(waitingReason(change, none, names), null);
  equal(waitingReason({ ...change, phase: "inFlight" }, none, names), "On its way.");
  const refused = { ...none, rejections: [{ kind: "create", className: "Person", objectId: "p" }] };
  equal(waitingReason(change, refused, names), "Waits for Person p, which was refused.");
  const asked = { ...none, conflicts: [{ kind: "fields", className: "Boat", objectId: "b" }] };
  equal(waitingReason(change, asked, names), "Waits until the conflict about it is decided.");
});
