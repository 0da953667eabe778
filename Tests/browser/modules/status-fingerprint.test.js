import { fingerprintOf, hasMoved, workOf } from "../../../web/js/status-fingerprint.js";
import { equal, test } from "./check.js";

const status = { state: "idle", pending: 1, rejections: 0, conflicts: 0, removals: 0, lastSyncAt: "a", movedAt: "a", classes: [{ name: "Boat", pending: 1 }] };

test("lists are read again after a sync with changes, and not because a sync runs", () => {
  const later = { ...status, state: "running", lastSyncAt: "b" };
  equal(fingerprintOf(status), fingerprintOf(later));
  equal(workOf(status) === workOf(later), false);
  equal(fingerprintOf(status) === fingerprintOf({ ...later, movedAt: "b" }), false);
  const other = { ...status, classes: [{ name: "Boat", pending: 0 }] };
  equal(fingerprintOf(status) === fingerprintOf(other), false);
});

test("a sync without figures counts as one with changes", () => {
  equal([hasMoved({}), hasMoved({ lastSummary: null })], [true, true]);
  equal(hasMoved({ lastSummary: { pulled: 0, requests: 1, durationMs: 3, classes: {}, warnings: [] } }), false);
  equal(hasMoved({ lastSummary: { pulled: 2, requests: 1, durationMs: 3 } }), true);
});
