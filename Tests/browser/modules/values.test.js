import { counted, fieldChanges, hostOf, isEqual, isolated, isWebAddress, matches, userFields, valueWords } from "../../../web/js/values.js";
import { equal, test } from "./check.js";

test("values of every type have words", () => {
  equal(valueWords(undefined), "not set");
  equal(valueWords(null), "null");
  equal(valueWords(true), "Yes");
  equal(valueWords(0), "0");
  equal(valueWords([]), "none");
  equal(valueWords(["a", 2]), "a, 2");
  equal(valueWords({ __type: "Pointer", className: "Boat", objectId: "x" }), "Boat x");
  equal(valueWords({ __type: "GeoPoint", latitude: 1.5, longitude: -2 }), "1.5°, -2°");
  equal(valueWords({ __type: "Bytes", base64: "AAAA" }), "3 bytes");
  equal(valueWords({ __type: "Relation", className: "Boat" }), "relation to Boat");
  equal(valueWords({ __type: "Date", iso: "2027-07-16T00:00:00.000Z" }), "16 July 2027");
  equal(valueWords({ a: 1 }), '{"a":1}');
});

test("an update has the fields that differ, and deletes those that are gone", () => {
  equal(fieldChanges({ a: 1, b: [1, 2], c: "x" }, { a: 1, b: [2, 1], d: null }), { b: [2, 1], d: null, c: { __op: "Delete" } });
  equal(fieldChanges({ a: 1 }, { a: 1 }), {});
  equal(Object.keys(fieldChanges({}, { constructor: "built" })), ["constructor"]);
});

test("equality follows JSON, and not the order of keys", () => {
  equal(isEqual({ a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 }), true);
  equal(isEqual([1, 2], [2, 1]), false);
  equal(isEqual({}, []), false);
  equal(isEqual({ a: undefined }, { b: undefined }), false);
  equal(isEqual(null, {}), false);
});

test("a search finds all of its words in any field, accents and case aside", () => {
  const object = { objectId: "x1", name: "Café Ünïcödé", tags: ["Harbour"] };
  equal(matches(object, "cafe HARBOUR"), true);
  equal(matches(object, "cafe quay"), false);
  equal(matches(object, "  "), true);
  equal(matches(object, "x1"), false);
});

test("the gateway's own fields are no fields of people", () => {
  equal(userFields({ objectId: "x", createdAt: "t", updatedAt: "t", _sync: {}, a: 1 }), { a: 1 });
});

test("addresses are told from other texts", () => {
  equal(isWebAddress("https://example.org/a"), true);
  equal(isWebAddress("javascript:alert(1)"), false);
  equal(isWebAddress("http://"), false);
  equal(hostOf("https://example.org:8080/parse"), "example.org:8080");
  equal(hostOf("nothing"), "nothing");
});

test("texts from right to left are isolated", () => {
  equal(isolated("abc"), "abc");
  equal(isolated("שלום"), "\u2068שלום\u2069");
});

test("numbers agree with their nouns", () => {
  equal(counted(1, "change"), "1 change");
  equal(counted(1200, "change"), "1,200 changes");
  equal(counted(0, "entry", "entries"), "0 entries");
});
