import { searchQuery } from "../../../web/js/search-query.js";
import { equal, test } from "./check.js";

const places = (word, types) => searchQuery(word, types).$and[0].$or;
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

test("a year, month or day matches a time range", () => {
  const types = { at: { type: "Date" } };
  equal(places("2027", types)[1], { at: { $gte: date("2027-01-01"), $lt: date("2028-01-01") } });
  equal(places("2027-12", types)[1], { at: { $gte: date("2027-12-01"), $lt: date("2028-01-01") } });
  equal(places("2027-02-28", types)[1], { at: { $gte: date("2027-02-28"), $lt: date("2027-03-01") } });
  equal(places("20271", types), [{ objectId: "20271" }]);
});
