import { choicesFor, groupsOf, reasonOf } from "../../../web/js/decide/choices.js";
import { undoOfDecisions } from "../../../web/js/decide/decision-undo.js";
import { equal, test } from "./check.js";

const conflict = {
  className: "Task", objectId: "a", kind: "fields", fields: ["note"],
  base: { objectId: "a", note: "b", hours: 1 }, local: { objectId: "a", note: "m", hours: 2 }, remote: { objectId: "a", note: "t", hours: 1 },
};
const stepOf = (list, choice, entry, present, pending = []) =>
  undoOfDecisions(list, choice, [{ entry, name: "A" }]).stepOf({ entry }, present, pending, true);

test("conflicts with two sides are decided for one side", () => {
  const asked = { ...conflict, kind: "wasThisApplied" };
  const choices = choicesFor("conflicts", [conflict, { ...conflict, kind: "deletedLocally" }, asked]);
  equal(choices.map(({ id, keep, entries }) => [id, keep, entries.length]), [["mine", "local", 2], ["theirs", "remote", 2]]);
  equal(choices[0].effects.filter(Boolean), ["1 object will get your values on the remote.", "1 object will be deleted on the remote too."]);
  equal(choicesFor("conflicts", [asked]).map(({ keep }) => keep), ["applied", "sendAgain"]);
  equal(choicesFor("conflicts", []), []);
});

test("each decision tells its effect", () => {
  const conflicts = ["fields", "deletedRemotely", "deletedLocally", "wasThisApplied", "ambiguousCreate"].map((kind) => ["conflicts", { ...conflict, kind }]);
  const rejections = ["create", "update", "delete"].map((kind) => ["rejections", { ...conflict, kind }]);
  const silent = [...conflicts, ...rejections, ["removals", { objects: 1 }]].flatMap(([list, entry]) =>
    choicesFor(list, [entry]).filter(({ effects }) => !effects.some(Boolean)).map(({ id }) => [list, entry.kind, id]),
  );
  equal(silent, []);
});

test("entries are counted by their reasons", () => {
  const rejections = [{ error: "a" }, { error: "b" }, { error: "b" }];
  equal(groupsOf(rejections, (entry) => reasonOf("rejections", entry)), [["b", 2], ["a", 1]]);
  equal(reasonOf("removals", { reason: "tooMany" }), "Many objects are missing on the remote");
});

test("after keeping theirs, mine is written again if nothing has changed since", () => {
  const present = { objectId: "a", note: "t", hours: 1, _sync: { tag: "9" } };
  equal(stepOf("conflicts", "theirs", conflict, present), { action: "write", fields: { note: "m", hours: 2 }, tag: "9" });
  equal(stepOf("conflicts", "theirs", conflict, { ...present, note: "n" }).action, "leave");
  equal(stepOf("conflicts", "theirs", { ...conflict, kind: "deletedRemotely" }, undefined), { action: "create", fields: { note: "m", hours: 2 } });
  equal(stepOf("conflicts", "theirs", { ...conflict, kind: "deletedLocally" }, present), { action: "delete", tag: "9" });
});

test("after keeping mine, theirs is written", () => {
  const present = { objectId: "a", note: "m", hours: 2, _sync: { tag: "9" } };
  equal(stepOf("conflicts", "mine", conflict, present), { action: "write", fields: { note: "t" }, tag: "9" });
  equal(stepOf("conflicts", "mine", { ...conflict, kind: "deletedRemotely" }, present), { action: "delete", tag: "9" });
  const deletion = { kind: "delete", phase: "pending", attempts: 0 };
  equal(stepOf("conflicts", "mine", { ...conflict, kind: "deletedLocally" }, undefined, [deletion]).action, "withdraw");
});

test("a discarded change is made again, and other decisions are final", () => {
  const operations = { hours: { __op: "Increment", amount: 1 } };
  const present = { objectId: "a", _sync: { tag: "9" } };
  equal(stepOf("rejections", "discard", { kind: "update", operations }, present), { action: "write", fields: operations, tag: "9" });
  equal(stepOf("rejections", "discard", { kind: "create", operations: { name: "A" } }, undefined), { action: "create", fields: { name: "A" } });
  equal(undoOfDecisions("rejections", "again", [{ entry: conflict }]), null);
  equal(undoOfDecisions("removals", "confirm", [{ entry: conflict }]), null);
  equal(undoOfDecisions("conflicts", "mine", [{ entry: { ...conflict, space: "user" } }]), null);
});
