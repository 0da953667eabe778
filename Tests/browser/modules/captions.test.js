import { ApiError, UnreachableError } from "../../../web/js/api.js";
import { createCaptionStore } from "../../../web/js/caption-store.js";
import { createCaptionFields, guessedCaption, possibleCaptions } from "../../../web/js/captions.js";
import { createObjectSearch } from "../../../web/js/editors/object-search.js";
import { createState } from "../../../web/js/state.js";
import { equal, test } from "./check.js";

function storage() {
  const items = new Map();
  return { getItem: (name) => items.get(name) ?? null, setItem: (name, text) => items.set(name, text) };
}

/** A store whose reads are recorded, and a function that resolves after the next read. */
function makeStore(read) {
  const asked = [];
  let done = () => {};
  const store = createCaptionStore({
    read(batches) {
      asked.push(...batches);
      return Promise.all(batches.map(([className, ids]) => read(className, ids)));
    },
    textOf: (className, { name }) => name ?? null,
    whyMissing: () => ({ word: "not found" }),
    onRead: () => done(),
  });
  return { store, asked, nextRead: () => new Promise((resolve) => void (done = resolve)) };
}

test("the caption field is guessed by name, otherwise the first text", () => {
  equal(guessedCaption("Boat", { objectId: { type: "String" }, text: { type: "String" }, title: { type: "String" } }), "title");
  equal(guessedCaption("Boat", { name: { type: "Number" }, text: { type: "String" } }), "text");
  equal(guessedCaption("Boat", { objectId: { type: "String" }, n: { type: "Number" } }), null);
  equal(guessedCaption("_User", {}), "username");
  equal(possibleCaptions({ objectId: { type: "String" }, n: { type: "Number" }, tags: { type: "Array" } }), ["n"]);
});

test("a chosen caption field is remembered, and an object without it keeps a usual name", () => {
  const place = storage();
  const state = createState();
  state.update({ types: new Map([["Boat", { name: { type: "String" }, code: { type: "Number" } }]]) });
  const captions = createCaptionFields(state, place);
  equal(captions.of("Boat"), "name");
  captions.choose("Boat", "code");
  const again = createCaptionFields(state, place);
  equal(again.of("Boat"), "code");
  equal(again.textOf("Boat", { code: 7, name: "Argo" }), "7");
  equal(again.textOf("Boat", { name: "Argo" }), "Argo");
  equal(again.textOf("Boat", { code: { __type: "Pointer" }, name: " " }), null);
  again.choose("Boat", null);
  equal(again.of("Boat"), "name");
  place.setItem("tidegate.captions", "{");
  equal(again.of("Boat"), "name");
});

test("a long caption is cut off between letters", () => {
  const captions = createCaptionFields(createState(), storage());
  equal(captions.textOf("Boat", { name: "a\n  b" }), "a b");
  equal(captions.textOf("Boat", { name: "😀".repeat(200) }), `${"😀".repeat(120)} …`);
});

test("captions are read in one batch for each class, and only once", async () => {
  const { store, asked, nextRead } = makeStore(async (className, ids) => ids.filter((id) => id !== "c").map((objectId) => ({ objectId, name: `${className} ${objectId}` })));
  const read = nextRead();
  equal(store.of("Boat", "a"), undefined);
  store.of("Boat", "b");
  store.of("Boat", "a");
  store.of("Port", "c");
  await read;
  equal(asked, [["Boat", ["a", "b"]], ["Port", ["c"]]]);
  equal(store.of("Boat", "b"), { text: "Boat b" });
  equal(store.of("Port", "c").word, "not found");
  equal(asked.length, 2);
  store.forget("Boat");
  const again = nextRead();
  equal(store.of("Boat", "a"), undefined);
  equal(store.of("Port", "c").word, "not found");
  await again;
  equal(asked.length, 3);
});

test("a caption that was forgotten during its read is read again", async () => {
  let answer;
  let begun = () => {};
  const begins = () => new Promise((resolve) => void (begun = resolve));
  const { store, asked, nextRead } = makeStore(() => {
    begun();
    return new Promise((resolve) => void (answer = resolve));
  });
  store.of("Boat", "a");
  const first = nextRead();
  await begins();
  equal(store.of("Boat", "a"), undefined);
  store.forget("Boat");
  answer([{ objectId: "a", name: "old" }]);
  await first;
  equal(store.of("Boat", "a"), undefined);
  await begins();
  const second = nextRead();
  answer([{ objectId: "a", name: "new" }]);
  await second;
  equal(store.of("Boat", "a"), { text: "new" });
  equal(asked.length, 2);
});

test("a batch has at most 100 objects, and the number of stored captions is bounded", async () => {
  const { store, asked, nextRead } = makeStore(async (_, ids) => ids.map((objectId) => ({ objectId, name: "x" })));
  for (let round = 0; round < 6; round += 1) {
    const read = nextRead();
    for (let number = 0; number < 1000; number += 1) store.of("Boat", `${round}-${number}`);
    await read;
  }
  equal(asked.length, 60);
  equal(Math.max(...asked.map(([, ids]) => ids.length)), 100);
  equal(store.of("Boat", "5-999"), { text: "x" });
  equal(store.of("Boat", "0-0"), undefined);
});

test("a refused read is said, and a lost one is repeated", async () => {
  let error = new ApiError(400, 119, "Permission denied");
  const { store, nextRead } = makeStore(async () => {
    throw error;
  });
  const refused = nextRead();
  store.of("Boat", "a");
  await refused;
  equal(store.of("Boat", "a"), { word: "not readable", why: "Permission denied" });
  error = new UnreachableError();
  const lost = nextRead();
  store.of("Boat", "b");
  await lost;
  equal(store.of("Boat", "b"), undefined);
});

test("a text names an object by caption and id, by caption or by id", async () => {
  const objects = [{ objectId: "p1", words: "New Zealand" }, { objectId: "p2", words: "Peru" }, { objectId: "p3", words: "Peru" }, { objectId: "p4", words: "p4" }];
  const shown = [];
  const search = createObjectSearch("Country", {
    suggest: async (_, text) => objects.filter(({ words }) => words.includes(text)),
    lookUp: async (_, objectId) => objects.find((one) => one.objectId === objectId) ?? null,
  }, (texts) => shown.push(texts));
  equal(search.idOf(" "), undefined);
  equal(search.idOf("New Zealand"), "New Zealand");
  await search.finish("New Zealand");
  equal(search.idOf("New Zealand"), "p1");
  equal(search.idOf("New Zealand · p1"), "p1");
  await search.finish("Peru");
  equal(search.idOf("Peru").message, "2 objects of Country have this name. Choose one from the list.");
  await search.finish("p9");
  equal(search.idOf("p9"), "p9");
  await search.finish("no such place");
  equal(search.idOf("no such place").message, "Choose an object of Country, or enter an id.");
  await search.finish("Zeal");
  equal(search.idOf("Zeal"), "p1");
  await search.finish("er");
  equal(search.idOf("er").message, "Several objects of Country match. Choose one from the list.");
  equal(await search.textOf("p4"), "p4");
  equal(await search.textOf("p9"), null);
  equal(shown[0], ["New Zealand · p1"]);
});
