import { formatBytes } from "../../../web/js/byte-size.js";
import { createCaptionFields } from "../../../web/js/captions.js";
import { createDrafts } from "../../../web/js/drafts.js";
import { readEvents } from "../../../web/js/event-stream.js";
import { formFields, inOrder, typesOf } from "../../../web/js/field-types.js";
import { withStatus } from "../../../web/js/history.js";
import { record, ownValue, withEntry, withoutEntry } from "../../../web/js/records.js";
import { createNames, createState } from "../../../web/js/state.js";
import { uploadName } from "../../../web/js/upload-name.js";
import { equal, test } from "./check.js";

/** An in-memory replacement for sessionStorage. */
function storage() {
  const items = new Map();
  return { getItem: (name) => items.get(name) ?? null, setItem: (name, text) => items.set(name, text) };
}

function streamOf(parts) {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

test("drafts survive a reload, and the oldest drafts are deleted", () => {
  const place = storage();
  const drafts = createDrafts(place);
  for (let number = 1; number <= 51; number += 1) drafts.of("object", number, "Boat").keep({ typed: number });
  const again = createDrafts(place);
  equal(again.of("object", 1, "Boat").kept, null);
  equal(again.of("object", 51, "Boat").kept, { typed: 51 });
  equal(again.lastAt("Boat").subject, 51);
  equal(again.lastAt("Ship"), null);
  again.forget({ kind: "object", subject: 51 });
  equal(createDrafts(place).lastAt("Boat").subject, 50);
});

test("invalid stored drafts are ignored", () => {
  const place = storage();
  place.setItem("tidegate.forms", "{");
  equal(createDrafts(place).lastAt("Boat"), null);
});

test("events are read correctly for every chunk size", async () => {
  const text = ': hello\r\nevent: change\nid: 7\ndata: {"a":\ndata: "ü"}\n\ndata\n\nid: 8\n\n';
  const bytes = new TextEncoder().encode(text);
  for (let size = 1; size <= 7; size += 1) {
    const events = [];
    const parts = [];
    for (let at = 0; at < bytes.length; at += size) parts.push(bytes.slice(at, at + size));
    await readEvents(streamOf(parts), (event) => events.push(event));
    equal(events, [{ type: "change", id: "7", data: '{"a":\n"ü"}' }, { type: "message", id: null, data: "" }]);
  }
});

test("the history lists each finished sync once, also while the next one runs", () => {
  const begin = { syncs: [], pendingCounts: [] };
  const status = { mode: "replica", state: "idle", lastSyncAt: "t1", lastSummary: { at: "t1", pulled: 1, classes: {} }, pending: 2 };
  equal(withStatus(begin, { ...status, lastSummary: null }, 5).syncs, []);
  const once = withStatus(begin, status, 5);
  equal(once, { syncs: [{ at: "t1", pulled: 1 }], pendingCounts: [{ at: 5, count: 2 }] });
  equal(withStatus(once, status, 6), once);
  // The gateway stores the time of a sync before it tells the results.
  equal(withStatus(once, { ...status, state: "running", lastSyncAt: "t2" }, 6), once);
  equal(withStatus(begin, { ...status, state: "running" }, 5), once);
});

test("field types are derived from values, and a form lists the editable fields", () => {
  const objects = [{ objectId: "x", title: "a", n: null, tags: ["a"], owner: { __type: "Pointer", className: "Person", objectId: "p" } }, { n: 1, text: "a\nb" }];
  const types = typesOf(objects);
  equal(types, { title: { type: "String" }, tags: { type: "Array" }, owner: { type: "Pointer", targetClass: "Person" }, n: { type: "Number" }, text: { type: "String" } });
  equal(inOrder(["z", "date", "name", "a"]), ["name", "date", "a", "z"]);
  const kinds = Object.fromEntries(formFields({ ...types, ACL: { type: "ACL" }, members: { type: "Relation" } }, objects).map(({ name, kind }) => [name, kind]));
  equal(kinds, { title: "text", tags: "entries", owner: "pointer", n: "number", text: "longText" });
});

test("names of inherited members are treated as plain names", () => {
  equal(ownValue({}, "constructor"), undefined);
  equal(ownValue(null, "a"), undefined);
  equal(ownValue(record({ toString: 1 }), "toString"), 1);
  const map = new Map([["a", 1]]);
  equal([...withEntry(map, "b", 2)], [["a", 1], ["b", 2]]);
  equal([...withoutEntry(map, "a")], []);
  equal(map.size, 1);
});

test("several updates cause one redraw", async () => {
  const state = createState();
  const seen = [];
  const end = state.show(({ search }) => seen.push(search));
  state.update({ search: "a" });
  state.update({ search: "b" });
  await Promise.resolve();
  equal(seen, ["", "b"]);
  end();
  state.update({ search: "c" });
  await Promise.resolve();
  equal(seen, ["", "b"]);
});

test("an object is shown by its name, title or id", () => {
  const names = createNames(createCaptionFields(createState(), storage()));
  names.learn("Boat", [{ objectId: "a", name: "Argo" }, { objectId: "b", title: "Beagle" }, { objectId: "c", name: "" }]);
  equal(["a", "b", "c"].map((id) => names.of("Boat", id)), ["Argo", "Beagle", "c"]);
});

test("sizes have a suitable unit", () => {
  equal([1, 999, 4200, 42_000, 1_300_000].map(formatBytes), ["1 byte", "999 bytes", "4.2 KB", "42 KB", "1.3 MB"]);
});

test("names of uploads have the form that Parse Server accepts", () => {
  equal(uploadName("Müller, Übersicht.jpg"), "Muller_ Ubersicht.jpg");
  equal(uploadName("日本.png"), "__.png");
  equal(uploadName(".hidden"), "hidden");
  equal(uploadName("..."), "file");
  equal(uploadName(`-${"a".repeat(200)}.png`).length, 100);
});
