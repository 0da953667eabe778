import { badgeOf, openDecisions, resultText, progressText, skippedText, summaryText, statusLine, withFullStop } from "../../../web/js/sync-text.js";
import { equal, test } from "./check.js";

const status = (more) => ({
  mode: "replica", state: "idle", online: true, pending: 0, remote: { url: "https://example.org/parse" }, lastSyncAt: "t", ...more,
});
const level = (more, values) => statusLine({ status: status(more), connection: "connected", ...values }).level;

test("each state of the gateway has a status line", () => {
  equal(statusLine({ status: null, connection: "lost" }).level, "lost");
  equal(statusLine({ status: null, connection: "connecting" }).headline, "Connecting");
  equal(level({ mode: "standalone" }), "standalone");
  equal(level({ state: "paused" }), "paused");
  equal(level({ state: "running" }), "syncing");
  equal(level({}, { refreshing: true }), "syncing");
  equal(level({ lastError: { kind: "foreign", message: "no" } }), "foreign");
  equal(level({ online: false }), "offline");
  equal(level({ lastError: { kind: "refused", message: "no" } }), "error");
  equal(level({ pushPaused: { reason: "no" } }), "error");
  equal(level({ conflicts: 1 }), "decision");
  equal(level({ classes: [{ name: "Boat", stopped: { reason: "full" } }] }), "error");
  equal(level({ pending: 2 }), "pending");
  equal(level({}), "idle");
});

test("the status line names the remote and the pending changes", () => {
  const offline = statusLine({ status: status({ online: false, pending: 1 }), connection: "connected" });
  equal(offline.headline, "Cannot reach example.org");
  equal(offline.sentence, "You can keep working. 1 change is pending until it is back.");
  equal(statusLine({ status: status({}), connection: "connected" }).headline, "Synced with example.org");
});

test("a summary lists only counts above zero", () => {
  equal(summaryText({}), "Synced. Nothing new.");
  equal(resultText({ pulled: 3, pushed: 1, conflicts: 2 }), "3 fetched, 1 sent, 2 conflicts");
  equal(summaryText({ removed: 1, heldBack: 1 }), "Synced: 1 removed, removal of 1 object held back.");
});

test("progress shows phase, class and count", () => {
  equal(progressText(null), null);
  equal(progressText({ phase: "pull", class: "Holiday", done: 40, total: 120 }), "Fetching Holiday, 40 of 120");
  equal(progressText({ phase: "push" }), "Sending your changes");
  equal(progressText({ phase: "constructor" }), "constructor");
});

test("an unknown state is shown by its name", () => {
  equal(badgeOf("synced").words, "Synced");
  equal(badgeOf("toString").words, "toString");
});

test("open decisions are counted; a full list of large objects is shown as a minimum", () => {
  equal(openDecisions({ rejections: 1, conflicts: 2, removals: 3 }), 6);
  equal(openDecisions(null), 0);
  equal(skippedText({}), "");
  equal(skippedText({ skipped: [1] }), "1 object is too large to fetch.");
  equal(skippedText({ skipped: Array(20).fill(1) }), "20 or more objects are too large to fetch.");
});

test("a full stop is added only if the sentence has no end mark", () => {
  equal(withFullStop("It failed"), "It failed.");
  equal(withFullStop("It failed!"), "It failed!");
});
