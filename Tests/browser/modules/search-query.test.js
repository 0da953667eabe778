import { ApiError } from "../../../web/js/api.js";
import { createClassSearch, searchedText } from "../../../web/js/class-search.js";
import { searchQuery } from "../../../web/js/search-query.js";
import { createState } from "../../../web/js/state.js";
import { textPaths } from "../../../web/js/inner-paths.js";
import { equal, test } from "./check.js";

const places = (word, types, options) => searchQuery(word, types, options).$and[0].$or;
const date = (iso) => ({ __type: "Date", iso: `${iso}T00:00:00.000Z` });

test("an empty search text gives no query", () => equal(searchQuery("  ", {}), null));

test("an object must match every word", () => equal(searchQuery("a b", {}), { $and: [{ $or: [{ objectId: "a" }] }, { $or: [{ objectId: "b" }] }] }));

test("special characters of a text are escaped", () => {
  equal(places("a.b*", { name: { type: "String" } }), [{ objectId: "a.b*" }, { name: { $regex: "a\\.b\\*", $options: "i" } }]);
});

test("numbers, booleans and pointers are searched by field type", () => {
  const types = { n: { type: "Number" }, ok: { type: "Boolean" }, boat: { type: "Pointer", targetClass: "Boat" } };
  equal(places("12", types), [{ objectId: "12" }, { n: 12 }]);
  equal(places("012", types), [{ objectId: "012" }]);
  equal(places("Yes", types), [{ objectId: "Yes" }, { ok: true }]);
  equal(places("abcdefghij", types)[1], { boat: { __type: "Pointer", className: "Boat", objectId: "abcdefghij" } });
});

test("a year, month or day matches a time range in UTC if tables show UTC", () => {
  const types = { at: { type: "Date" } };
  const range = (word) => places(word, types, { isUtc: true })[1];
  equal(range("2027"), { at: { $gte: date("2027-01-01"), $lt: date("2028-01-01") } });
  equal(range("2027-12"), { at: { $gte: date("2027-12-01"), $lt: date("2028-01-01") } });
  equal(range("2027-02-28"), { at: { $gte: date("2027-02-28"), $lt: date("2027-03-01") } });
  equal(places("20271", types), [{ objectId: "20271" }]);
});

test("a day matches the local day of times and the calendar day of dates without a time", () => {
  // The tests run in Pacific/Auckland, where 1 July begins at noon of 30 June in UTC.
  const moment = (iso) => ({ __type: "Date", iso });
  const [, found] = places("2027-07-01", { at: { type: "Date" } });
  equal(found, { at: { $gte: moment("2027-06-30T12:00:00.000Z"), $lt: moment("2027-07-01T12:00:00.000Z") } });
});

test("captions of pointers and texts inside of objects are searched", () => {
  const types = { home: { type: "Pointer", targetClass: "Country" }, engine: { type: "Object" } };
  const query = searchQuery("nor", types, { captions: { home: { className: "Country", caption: "name" } }, paths: ["engine.kind"] });
  const pattern = { $regex: "nor", $options: "i" };
  equal(query.$and[0].$or, [{ objectId: "nor" }, { home: { $inQuery: { className: "Country", where: { name: pattern } } } }, { "engine.kind": pattern }]);
});

test("the paths of texts are found in object fields only", () => {
  const types = { engine: { type: "Object" }, home: { type: "Pointer" }, tags: { type: "Array" } };
  const engine = { kind: "diesel", power: 3, maker: { name: "A", tags: ["x"], parts: [{ a: "b" }] }, "odd.name": "x", at: { __type: "Date", iso: "x" } };
  equal(textPaths([{ engine, home: { className: "x" }, tags: ["a"] }, {}, { engine: null }], types), ["engine.kind", "engine.maker.name", "engine.maker.tags"]);
  equal(textPaths([{ engine: { a: { b: { c: { d: "deep" } } } } }], types), []);
});

test("the searched fields are named", () => {
  const types = { objectId: { type: "String" }, name: { type: "String" }, n: { type: "Number" }, place: { type: "GeoPoint" } };
  equal(searchedText(types, { home: {} }, ["engine.kind"]), "Searched: ids, name, n, captions of home, engine.kind.");
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`f${at}`, { type: "String" }]));
  equal(searchedText(many, {}, []), "Searched: ids, f0, f1, f2, f3, f4, f5, f6, f7 and 4 more fields.");
});

test("a class that may not be read is not searched by caption", async () => {
  const state = createState();
  const types = { home: { type: "Pointer", targetClass: "Country" }, boss: { type: "Pointer", targetClass: "Secret" }, name: { type: "String" } };
  const named = { name: { type: "String" } };
  state.update({ types: new Map([["Boat", types], ["Country", named], ["Secret", named]]) });
  const searchOf = createClassSearch({
    state,
    types: {
      textPaths: () => [],
      know: async (className) => {
        if (className === "Secret") throw new ApiError(400, 119, "Permission denied");
      },
    },
    captionField: () => "name",
  });
  equal(await searchOf("Boat", " "), { where: null, searched: "" });
  const { where, searched } = await searchOf("Boat", "a");
  equal(searched, "Searched: ids, name, captions of home.");
  equal(where.$and[0].$or.length, 3);
});
