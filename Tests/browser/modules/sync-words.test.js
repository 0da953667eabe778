import { badgeOf, decisionsOpen, figureWords, progressWords, skippedWords, summaryWords, tideOf, withStop } from "../../../web/js/sync-words.js";
import { equal, test } from "./check.js";

const status = (more) => ({
  mode: "replica", state: "idle", online: true, pending: 0, remote: { url: "https://example.org/parse" }, lastSyncAt: "t", ...more,
});
const tide = (more, values) => tideOf({ status: status(more), connection: "connected", ...values }).tide;

test("every state of the gateway has its tide", () => {
  equal(tideOf({ status: null, connection: "lost" }).tide, "lost");
  equal(tideOf({ status: null, connection: "connecting" }).headline, "Connecting");
  equal(tide({ mode: "standalone" }), "standalone");
  equal(tide({ state: "paused" }), "paused");
  equal(tide({ state: "running" }), "running");
  equal(tide({}, { refreshing: true }), "running");
  equal(tide({ lastError: { kind: "foreign", message: "no" } }), "foreign");
  equal(tide({ online: false }), "offline");
  equal(tide({ lastError: { kind: "refused", message: "no" } }), "trouble");
  equal(tide({ pushPaused: { reason: "no" } }), "trouble");
  equal(tide({ conflicts: 1 }), "decide");
  equal(tide({ classes: [{ name: "Boat", stopped: { reason: "full" } }] }), "trouble");
  equal(tide({ pending: 2 }), "waiting");
  equal(tide({}), "calm");
});

test("a tide names the remote and what waits", () => {
  const offline = tideOf({ status: status({ online: false, pending: 1 }), connection: "connected" });
  equal(offline.headline, "example.org is out of reach");
  equal(offline.sentence, "Go on working. 1 change waits here until it is back.");
  equal(tideOf({ status: status({}), connection: "connected" }).headline, "In step with example.org");
});

test("a summary names what is new, and nothing else", () => {
  equal(summaryWords({}), "Synced. Nothing was new.");
  equal(figureWords({ pulled: 3, pushed: 1, conflicts: 2 }), "3 fetched, 1 sent, 2 conflicts");
  equal(summaryWords({ removed: 1, heldBack: 1 }), "Synced: 1 removed, removal of 1 object held back.");
});

test("progress names its phase, its class and its amount", () => {
  equal(progressWords(null), null);
  equal(progressWords({ phase: "pull", class: "Holiday", done: 40, total: 120 }), "Fetching Holiday, 40 of 120");
  equal(progressWords({ phase: "push" }), "Sending your changes");
  equal(progressWords({ phase: "constructor" }), "constructor");
});

test("an unknown state is shown by its name", () => {
  equal(badgeOf("synced").words, "Synced");
  equal(badgeOf("toString").words, "toString");
});

test("open decisions are counted, and the gateway's list of large objects may be cut", () => {
  equal(decisionsOpen({ rejections: 1, conflicts: 2, removals: 3 }), 6);
  equal(decisionsOpen(null), 0);
  equal(skippedWords({}), "");
  equal(skippedWords({ skipped: [1] }), "1 object is too large to be fetched.");
  equal(skippedWords({ skipped: Array(20).fill(1) }), "20 or more objects are too large to be fetched.");
});

test("a sentence ends once", () => {
  equal(withStop("It failed"), "It failed.");
  equal(withStop("It failed!"), "It failed!");
});
