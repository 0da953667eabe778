import { stallHeadline, stallKey, wayOut } from "../../../web/js/stall-text.js";
import { statusLine } from "../../../web/js/sync-text.js";
import { equal, test } from "./check.js";

const pull = { kind: "pull", className: "Boat", reason: "pull", text: "It fails.", wayOut: "Ask." };
const change = { kind: "change", id: 3, className: "Note", objectId: "a", reason: "object", text: "It waits.", wayOut: "GET it." };

test("the headline of a stall counts changes and names a single class", () => {
  equal(stallHeadline({ changes: 1, pulls: 0, entries: [change] }), "Stalled: 1 change is not sent");
  equal(stallHeadline({ changes: 2, pulls: 1, entries: [pull, change] }), "Stalled: Boat is not fetched, 2 changes are not sent");
  equal(stallHeadline({ changes: 0, pulls: 2, entries: [{ kind: "sync" }, pull] }), "Stalled: syncs fail, 2 classes are not fetched");
});

test("the way out is an action on the page, or that of the gateway", () => {
  equal(wayOut(change), "Open that object below, and decide about its change or conflict.");
  equal(wayOut(pull), "Ask.");
  equal(wayOut({ reason: "constructor", wayOut: "Ask." }), "Ask.");
});

test("entries of a stall have different keys", () => {
  equal([pull, change, { kind: "sync" }].map(stallKey), ["pull Boat", "change Note 3", "sync"]);
});

test("a stall is shown in the status line unless the last sync failed", () => {
  const status = {
    mode: "replica", state: "idle", online: true, pending: 1, lastSyncAt: "t", remote: { url: "https://example.org" },
    stalled: { changes: 1, pulls: 0, entries: [change] },
  };
  const line = statusLine({ status, connection: "connected" });
  equal([line.level, line.headline], ["error", "Stalled: 1 change is not sent"]);
  equal(line.sentence, "It waits. Open that object below, and decide about its change or conflict.");
  const failed = { ...status, lastError: { kind: "refused", message: "no" } };
  equal(statusLine({ status: failed, connection: "connected" }).headline, "The last sync failed");
  equal(statusLine({ status: { ...status, stalled: null }, connection: "connected" }).level, "pending");
});
