import { fieldChanges, hostOf, isEqual, isolated, isWebAddress, matches, userFields, valueText } from "../../../web/js/values.js";
import { counted } from "../../../web/js/texts.js";
import { equal, test } from "./check.js";

test("values of every type have a text", () => {
  equal(valueText(undefined), "not set");
  equal(valueText(null), "null");
  equal(valueText(true), "Yes");
  equal(valueText(0), "0");
  equal(valueText([]), "none");
  equal(valueText(["a", 2]), "a, 2");
  equal(valueText({ __type: "Pointer", className: "Boat", objectId: "x" }), "Boat x");
  equal(valueText({ __type: "GeoPoint", latitude: 1.5, longitude: -2 }), "1.5°, -2°");
  equal(valueText({ __type: "Bytes", base64: "AAAA" }), "3 bytes");
  equal(valueText({ __type: "Relation", className: "Boat" }), "relation to Boat");
  equal(valueText({ __type: "Date", iso: "2027-07-16T00:00:00.000Z" }), "16 July 2027");
  equal(valueText({ a: 1 }), '{"a":1}');
});

test("an update contains the changed fields and deletes the removed fields", () => {
  equal(fieldChanges({ a: 1, b: [1, 2], c: "x" }, { a: 1, b: [2, 1], d: null }), { b: [2, 1], d: null, c: { __op: "Delete" } });
  equal(fieldChanges({ a: 1 }, { a: 1 }), {});
  equal(Object.keys(fieldChanges({}, { constructor: "built" })), ["constructor"]);
});

test("equality ignores the order of keys", () => {
  equal(isEqual({ a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 }), true);
  equal(isEqual([1, 2], [2, 1]), false);
  equal(isEqual({}, []), false);
  equal(isEqual({ a: undefined }, { b: undefined }), false);
  equal(isEqual(null, {}), false);
});

test("a search matches all words in any field and ignores accents and case", () => {
  const object = { objectId: "x1", name: "Café Ünïcödé", tags: ["Harbour"] };
  equal(matches(object, "cafe HARBOUR"), true);
  equal(matches(object, "cafe quay"), false);
  equal(matches(object, "  "), true);
  equal(matches(object, "x1"), false);
});

test("user fields exclude the fields that the gateway manages", () => {
  equal(userFields({ objectId: "x", createdAt: "t", updatedAt: "t", _sync: {}, a: 1 }), { a: 1 });
});

test("web addresses are recognised", () => {
  equal(isWebAddress("https://example.org/a"), true);
  equal(isWebAddress("javascript:alert(1)"), false);
  equal(isWebAddress("http://"), false);
  equal(hostOf("https://example.org:8080/parse"), "example.org:8080");
  equal(hostOf("nothing"), "nothing");
});

test("right-to-left texts are isolated", () => {
  equal(isolated("abc"), "abc");
  equal(isolated("שלום"), "\u2068שלום\u2069");
});

test("numbers agree with their nouns", () => {
  equal(counted(1, "change"), "1 change");
  equal(counted(1200, "change"), "1,200 changes");
  equal(counted(0, "entry", "entries"), "0 entries");
});
