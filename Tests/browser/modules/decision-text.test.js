import { conflictText, resolutionText } from "../../../web/js/conflict-text.js";
import { removalText } from "../../../web/js/removal-text.js";
import { pendingReason } from "../../../web/js/pending-reason.js";
import { equal, test } from "./check.js";

test("each kind of conflict has two choices", () => {
  for (const kind of ["fields", "deletedRemotely", "deletedLocally", "wasThisApplied", "ambiguousCreate"]) {
    equal(conflictText({ kind }).choices.length, 2);
  }
  equal(conflictText({ kind: "deletedLocally" }).choices.map(({ keep }) => keep), ["remote", "local"]);
  equal(conflictText({ kind: "constructor" }).title, "Edited on both sides");
  equal(resolutionText({ resolution: "merge" }), "Both versions were merged");
  equal(resolutionText({ resolution: "odd" }), "Resolved: odd");
});

test("a held-back removal shows its reason", () => {
  const few = removalText({ className: "Boat", objects: 1, of: 4, reason: "tooMany" });
  equal(few.lines[0].startsWith("1 of 4 objects is missing on the remote."), true);
  const restored = removalText({ className: "Boat", objects: 3, of: 9, reason: "restoredBackup", objectIds: ["a"], olderIds: ["b", "c"] });
  equal(restored.lines[0].includes("It lacks 1 object. It has an older version of 2 objects."), true);
  equal(restored.question, "Use the remote's version of 3 Boat objects?");
  equal(removalText({ className: "Boat", objects: 1, of: 1, reason: "neverShown" }).confirm, "Remove here");
});

test("a pending change shows its reason", () => {
  const names = { of: (className, objectId) => `${className} ${objectId}` };
  const none = { rejections: [], conflicts: [] };
  const change = { className: "Boat", objectId: "b", phase: "pending", operations: { crew: [{ __type: "Pointer", className: "Person", objectId: "p" }] } };
  equal(pendingReason(change, none, names), null);
  equal(pendingReason({ ...change, phase: "inFlight" }, none, names), "Being sent.");
  const refused = { ...none, rejections: [{ kind: "create", className: "Person", objectId: "p" }] };
  equal(pendingReason(change, refused, names), "Waiting for Person p, which was rejected.");
  const asked = { ...none, conflicts: [{ kind: "fields", className: "Boat", objectId: "b" }] };
  equal(pendingReason(change, asked, names), "Waiting for you to resolve its conflict.");
  equal(pendingReason({ ...change, phase: "held" }, asked, names), "Sent, but the answer was lost. Decide under Conflicts whether it was applied.");
  equal(pendingReason({ ...change, phase: "held" }, none, names), "Waiting for another user to resolve a conflict of the object.");
  const another = { ...none, conflicts: [{ kind: "fields", className: "Boat", objectId: "b", user: "ada" }] };
  equal(pendingReason({ ...change, user: "ben" }, another, names), null);
});
