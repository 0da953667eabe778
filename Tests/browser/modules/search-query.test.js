import { searchQuery } from "../../../web/js/search-query.js";
import { equal, test } from "./check.js";

const places = (word, types) => searchQuery(word, types).$and[0].$or;
const date = (iso) => ({ __type: "Date", iso: `${iso}T00:00:00.000Z` });

test("nothing to search for is no query", () => equal(searchQuery("  ", {}), null));

test("every word has to be somewhere", () => equal(searchQuery("a b", {}), { $and: [{ $or: [{ objectId: "a" }] }, { $or: [{ objectId: "b" }] }] }));

test("a text is searched for as it stands", () => {
  equal(places("a.b*", { name: { type: "String" } }), [{ objectId: "a.b*" }, { name: { $regex: "a\\.b\\*", $options: "i" } }]);
});

test("numbers, answers and pointers are searched for where they can be", () => {
  const types = { n: { type: "Number" }, ok: { type: "Boolean" }, boat: { type: "Pointer", targetClass: "Boat" } };
  equal(places("12", types), [{ objectId: "12" }, { n: 12 }]);
  equal(places("012", types), [{ objectId: "012" }]);
  equal(places("Yes", types), [{ objectId: "Yes" }, { ok: true }]);
  equal(places("abcdefghij", types)[1], { boat: { __type: "Pointer", className: "Boat", objectId: "abcdefghij" } });
});

test("a year, a month or a day is a span of time", () => {
  const types = { at: { type: "Date" } };
  equal(places("2027", types)[1], { at: { $gte: date("2027-01-01"), $lt: date("2028-01-01") } });
  equal(places("2027-12", types)[1], { at: { $gte: date("2027-12-01"), $lt: date("2028-01-01") } });
  equal(places("2027-02-28", types)[1], { at: { $gte: date("2027-02-28"), $lt: date("2027-03-01") } });
  equal(places("20271", types), [{ objectId: "20271" }]);
});
