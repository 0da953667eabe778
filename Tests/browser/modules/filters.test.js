import { allOf, emptyFilter, itemAt, withItem, withReplaced, withoutItem } from "../../../web/js/filters/filter.js";
import { fromWhere, queriedClasses, toWhere } from "../../../web/js/filters/filter-where.js";
import { filterFields, operatorsOf } from "../../../web/js/filters/operators.js";
import { periodNames, withDates } from "../../../web/js/filters/periods.js";
import { equal, test } from "./check.js";

const types = {
  name: { type: "String" },
  metres: { type: "Number" },
  isSailing: { type: "Boolean" },
  at: { type: "Date" },
  home: { type: "Pointer", targetClass: "Country" },
  crew: { type: "Relation", targetClass: "Person" },
  tags: { type: "Array" },
  place: { type: "GeoPoint" },
  area: { type: "Polygon" },
  photo: { type: "File" },
  engine: { type: "Object" },
};
const moment = (iso) => ({ __type: "Date", iso });
const pointer = (className, objectId) => ({ __type: "Pointer", className, objectId });
const point = (latitude, longitude) => ({ __type: "GeoPoint", latitude, longitude });
const all = (...items) => ({ match: "all", items });
const condition = (field, operator, value = null) => ({ field, operator, value });

/** Checks that a condition is written as a `where`, and that the `where` is read as the condition. */
function bothWays(item, where) {
  equal(toWhere(all(item)), where);
  equal(fromWhere(where, types), all(item));
}

/** Checks that a `where` is shown as one raw condition, and stays as it is. */
function staysRaw(where) {
  equal(fromWhere(where, types), all({ where }));
  equal(toWhere(all({ where })), where);
}

test("conditions on texts are written and read", () => {
  bothWays(condition("name", "contains", "a.b*"), { name: { $regex: "a\\.b\\*", $options: "i" } });
  bothWays(condition("name", "begins", "Ar"), { name: { $regex: "^Ar", $options: "i" } });
  bothWays(condition("name", "ends", "go"), { name: { $regex: "go$", $options: "i" } });
  bothWays(condition("name", "ends", "go$"), { name: { $regex: "go\\$$", $options: "i" } });
  bothWays(condition("name", "equal", "Argo"), { name: "Argo" });
  bothWays(condition("name", "notEqual", "Argo"), { name: { $ne: "Argo" } });
  bothWays(condition("name", "pattern", { pattern: "^A.o$", options: "" }), { name: { $regex: "^A.o$" } });
  bothWays(condition("name", "pattern", { pattern: "a b", options: "ix" }), { name: { $regex: "a b", $options: "ix" } });
  bothWays(condition("name", "words", "old boat"), { name: { $text: { $search: { $term: "old boat" } } } });
  bothWays(condition("name", "in", ["a", "b"]), { name: { $in: ["a", "b"] } });
  bothWays(condition("name", "notIn", ["a"]), { name: { $nin: ["a"] } });
  bothWays(condition("name", "lessOrEqual", "m"), { name: { $lte: "m" } });
  bothWays(condition("objectId", "equal", "xO5TCC3Ntj"), { objectId: "xO5TCC3Ntj" });
  bothWays(condition("photo", "contains", "cat"), { photo: { $regex: "cat", $options: "i" } });
});

test("conditions on numbers, booleans and arrays are written and read", () => {
  bothWays(condition("metres", "equal", 7.5), { metres: 7.5 });
  bothWays(condition("metres", "greaterOrEqual", 0), { metres: { $gte: 0 } });
  bothWays(condition("metres", "between", { from: 1, to: 5 }), { metres: { $gte: 1, $lte: 5 } });
  bothWays(condition("metres", "in", [1, 2]), { metres: { $in: [1, 2] } });
  bothWays(condition("isSailing", "equal", false), { isSailing: false });
  bothWays(condition("isSailing", "notEqual", true), { isSailing: { $ne: true } });
  bothWays(condition("tags", "equal", "wood"), { tags: "wood" });
  bothWays(condition("tags", "notEqual", 3), { tags: { $ne: 3 } });
  bothWays(condition("tags", "all", ["wood", 3]), { tags: { $all: ["wood", 3] } });
  bothWays(condition("tags", "in", ["wood"]), { tags: { $in: ["wood"] } });
  bothWays(condition("tags", "notIn", ["wood"]), { tags: { $nin: ["wood"] } });
  bothWays(condition("tags", "containedBy", ["wood", "steel"]), { tags: { $containedBy: ["wood", "steel"] } });
  bothWays(condition("engine.kind", "equal", "diesel"), { "engine.kind": "diesel" });
  bothWays(condition("engine.power", "greater", 12), { "engine.power": { $gt: 12 } });
});

test("conditions on dates are written and read", () => {
  bothWays(condition("at", "less", moment("2031-05-17T10:00:00.000Z")), { at: { $lt: moment("2031-05-17T10:00:00.000Z") } });
  bothWays(condition("at", "day", "2031-05-17"), { at: { $period: "2031-05-17" } });
  bothWays(condition("at", "dayBefore", "2031-05-17"), { at: { $period: "before 2031-05-17" } });
  bothWays(condition("at", "dayAfter", "2031-05-17"), { at: { $period: "after 2031-05-17" } });
  const [begin, end] = [moment("2031-05-17T00:00:00.000Z"), moment("2031-05-18T00:00:00.000Z")];
  equal(fromWhere({ at: { $gte: begin, $lt: end } }, types), all(condition("at", "greaterOrEqual", begin), condition("at", "less", end)));
  const [from, to] = [moment("2031-05-17T10:00:00.000Z"), moment("2031-05-18T10:00:00.000Z")];
  bothWays(condition("at", "between", { from, to }), { at: { $gte: from, $lte: to } });
});

test("a period of the calendar stays a period in the query", () => {
  for (const name of periodNames) bothWays(condition("at", "period", name), { at: { $period: name } });
  for (const unknown of ["some week", "2031-99-17", "beside 2031-05-17"]) {
    staysRaw({ at: { $period: unknown } });
    equal(withDates({ at: { $period: unknown } }, "local"), { at: { $period: unknown } });
  }
});

test("times relative to now stay relative in the query", () => {
  const week = { amount: 7, unit: "day" };
  const relative = (text) => ({ $relativeTime: text });
  bothWays(condition("updatedAt", "last", week), { updatedAt: { $gte: relative("7 days ago"), $lte: relative("now") } });
  bothWays(condition("at", "next", { amount: 1, unit: "year" }), { at: { $gte: relative("now"), $lte: relative("in 1 year") } });
  bothWays(condition("at", "olderThan", week), { at: { $lt: relative("7 days ago") } });
  bothWays(condition("at", "furtherThan", week), { at: { $gt: relative("in 7 days") } });
  bothWays(condition("at", "past"), { at: { $lt: relative("now") } });
  bothWays(condition("at", "future"), { at: { $gt: relative("now") } });
});

test("a period of the calendar is resolved at the time of the read", () => {
  // The time zone of the tests is Pacific/Auckland, where this moment is Monday, 6 January 2031, 01:00.
  const now = new Date("2031-01-05T12:00:00.000Z");
  const found = (name, times = "utc") => {
    const { $gte, $lt } = withDates({ at: { $period: name } }, times, now).at;
    return [$gte.iso.slice(0, 10), $lt.iso.slice(0, 10)];
  };
  // In UTC, it is Sunday.
  equal(found("today"), ["2031-01-05", "2031-01-06"]);
  equal(found("this week"), ["2030-12-30", "2031-01-06"]);
  now.setUTCHours(24);
  equal(found("today"), ["2031-01-06", "2031-01-07"]);
  equal(found("yesterday"), ["2031-01-05", "2031-01-06"]);
  equal(found("this week"), ["2031-01-06", "2031-01-13"]);
  equal(found("last week"), ["2030-12-30", "2031-01-06"]);
  equal(found("next week"), ["2031-01-13", "2031-01-20"]);
  equal(found("this month"), ["2031-01-01", "2031-02-01"]);
  equal(found("last month"), ["2030-12-01", "2031-01-01"]);
  equal(found("this year"), ["2031-01-01", "2032-01-01"]);
  for (const name of periodNames) equal(found(name)[0] < found(name)[1], true);
  const where = toWhere(all(condition("at", "period", "today")));
  equal(where, { at: { $period: "today" } });
  equal(withDates({ $or: [where, { name: "a" }] }, "utc", now).$or[0].at.$gte.iso, "2031-01-06T00:00:00.000Z");
  equal(withDates(null, "utc", now), null);
});

test("a period has the days that the table shows", () => {
  const now = new Date("2031-01-05T12:00:00.000Z");
  const resolved = (name) => withDates({ name: "a", at: { $period: name } }, "local", now);
  equal(resolved("today"), { name: "a", at: { $gte: moment("2031-01-05T11:00:00.000Z"), $lt: moment("2031-01-06T11:00:00.000Z") } });
  equal(resolved("this week").at, { $gte: moment("2031-01-05T11:00:00.000Z"), $lt: moment("2031-01-12T11:00:00.000Z") });
  // The daylight saving time ends on 6 April 2031.
  equal(resolved("2031-04-06").at, { $gte: moment("2031-04-05T11:00:00.000Z"), $lt: moment("2031-04-06T12:00:00.000Z") });
  equal(resolved("before 2031-01-06").at, { $lt: moment("2031-01-05T11:00:00.000Z") });
  equal(resolved("after 2031-01-05").at, { $gte: moment("2031-01-05T11:00:00.000Z") });
});

test("conditions on pointers and relations are written and read", () => {
  const norway = pointer("Country", "c1");
  bothWays(condition("home", "equal", norway), { home: norway });
  bothWays(condition("home", "notEqual", norway), { home: { $ne: norway } });
  bothWays(condition("home", "in", [norway]), { home: { $in: [norway] } });
  bothWays(condition("home", "inQuery", { className: "Country", where: { name: "Peru" } }), {
    home: { $inQuery: { className: "Country", where: { name: "Peru" } } },
  });
  bothWays(condition("crew", "equal", pointer("Person", "p")), { crew: pointer("Person", "p") });
  bothWays(condition("$relatedTo", "member", { object: pointer("Boat", "b"), key: "crew" }), {
    $relatedTo: { object: pointer("Boat", "b"), key: "crew" },
  });
});

test("conditions on places are written and read", () => {
  const center = point(60, 5);
  bothWays(condition("place", "near", { center, km: 20 }), { place: { $nearSphere: center, $maxDistanceInKilometers: 20 } });
  bothWays(condition("place", "nearest", center), { place: { $nearSphere: center } });
  bothWays(condition("place", "circle", { center, km: 33.3 }), { place: { $geoWithin: { $centerSphere: [center, 33.3 / 6371] } } });
  bothWays(condition("place", "box", { one: point(1, 2), other: point(3, 4) }), { place: { $within: { $box: [point(1, 2), point(3, 4)] } } });
  const corners = [point(0, 0), point(0, 1), point(1, 1)];
  bothWays(condition("place", "polygon", corners), { place: { $geoWithin: { $polygon: corners } } });
  bothWays(condition("area", "surrounds", center), { area: { $geoIntersects: { $point: center } } });
});

test("every field can be tested for a value", () => {
  for (const field of [...Object.keys(types), "unknown", "engine.kind"]) {
    bothWays(condition(field, "exists"), { [field]: { $exists: true } });
    bothWays(condition(field, "missing"), { [field]: { $exists: false } });
    bothWays(condition(field, "null"), { [field]: null });
    bothWays(condition(field, "notNull"), { [field]: { $ne: null } });
  }
});

test("groups are written and read", () => {
  const long = condition("metres", "greater", 10);
  const named = condition("name", "equal", "Argo");
  const sailing = condition("isSailing", "equal", true);
  const long$ = { metres: { $gt: 10 } };
  const isSet = condition("tags", "exists");
  const inGroup = (item, where) => {
    equal(toWhere(all(isSet, item)), { tags: { $exists: true }, ...where });
    equal(fromWhere({ tags: { $exists: true }, ...where }, types), all(isSet, item));
  };
  inGroup({ match: "any", items: [long, named] }, { $or: [long$, { name: "Argo" }] });
  inGroup({ match: "any", items: [long] }, { $or: [long$] });
  inGroup({ match: "none", items: [long] }, { $nor: [long$] });
  inGroup({ match: "any", items: [all(long, named), { match: "none", items: [sailing] }] }, {
    $or: [{ ...long$, name: "Argo" }, { $nor: [{ isSailing: true }] }],
  });
  bothWays({ match: "none", items: [long] }, { $nor: [long$] });
  const both = all(long, condition("metres", "less", 20), sailing);
  equal(toWhere(both), { $and: [long$, { metres: { $lt: 20 } }, { isSailing: true }] });
  equal(fromWhere(toWhere(both), types), both);
  equal(fromWhere({ metres: { $gt: 10, $lt: 20 } }, types).items, [long, condition("metres", "less", 20)]);
});

test("the filter itself can match any or none of its conditions", () => {
  const long = condition("metres", "greater", 10);
  const named = condition("name", "equal", "Argo");
  for (const [match, key] of [["any", "$or"], ["none", "$nor"]]) {
    const filter = { match, items: [long, named] };
    equal(toWhere(filter), { [key]: [{ metres: { $gt: 10 } }, { name: "Argo" }] });
    equal(fromWhere(toWhere(filter), types), filter);
  }
  equal(toWhere({ match: "any", items: [named] }), { name: "Argo" });
});

test("a part that no chip can show stays as it is", () => {
  staysRaw({ home: { $select: { query: { className: "A", where: {} }, key: "k" } } });
  staysRaw({ home: { $inQuery: { className: "Country", where: {}, limit: 3 } } });
  staysRaw({ name: { $regex: 7 } });
  staysRaw({ tags: ["a", "b"] });
  staysRaw({ tags: { $all: [{ $regex: "^a" }] } });
  staysRaw({ at: { $gte: { $relativeTime: "3 days 2 hours ago" } } });
  staysRaw({ place: { $nearSphere: point(1, 2), $maxDistance: 1 } });
  staysRaw({ crew: { $exists: true, $ne: pointer("Person", "p") } });
  staysRaw({ $or: "wrong" });
  staysRaw({ $and: [{}] });
  staysRaw({ $comment: 1 });
  staysRaw(JSON.parse('{"__proto__":{"$wrong":1}}'));
  equal(toWhere(fromWhere({ $or: [{}, { name: "a" }] }, types)), { $or: [{}, { name: "a" }] });
});

test("a filter without conditions gives no query", () => {
  equal(toWhere(emptyFilter), null);
  equal(fromWhere(null, types), emptyFilter);
  equal(fromWhere({}, types), emptyFilter);
});

test("queries are joined without a lost condition", () => {
  equal(allOf(null, null), null);
  equal(allOf({ a: 1 }, null), { a: 1 });
  equal(allOf({ a: 1 }, { b: 2 }), { a: 1, b: 2 });
  equal(allOf({ a: 1 }, { a: 2 }), { $and: [{ a: 1 }, { a: 2 }] });
});

test("items are added, replaced and removed at their paths", () => {
  const one = condition("name", "equal", "a");
  const other = condition("name", "equal", "b");
  const filter = all(one, { match: "any", items: [other] });
  equal(itemAt(filter, [1, 0]), other);
  equal(withItem(filter, [1], one), all(one, { match: "any", items: [other, one] }));
  equal(withReplaced(filter, [1, 0], one), all(one, { match: "any", items: [one] }));
  equal(withoutItem(filter, [0]), all({ match: "any", items: [other] }));
  equal(withoutItem(filter, [1, 0]), all(one));
  equal(withoutItem(all({ match: "any", items: [other] }), [0, 0]), emptyFilter);
  equal(filter, all(one, { match: "any", items: [other] }));
});

test("deep groups of a query from outside become one raw condition", () => {
  let where = { name: "a" };
  for (let depth = 0; depth < 2_000; depth += 1) where = { $or: [where] };
  let item = fromWhere(where, types);
  let groups = 0;
  for (; item.items; groups += 1) [item] = item.items;
  equal([groups < 12, Object.keys(item)], [true, ["where"]]);
  equal(toWhere(fromWhere(where, types)), where);
});

test("operators with the same id write the same condition", () => {
  const samples = { equal: 1, notEqual: 1, less: 1, lessOrEqual: 1, greater: 1, greaterOrEqual: 1, in: [1], notIn: [1], contains: "a", begins: "a", ends: "a" };
  for (const [id, value] of Object.entries(samples)) {
    const found = [...Object.keys(types), "unknown"].flatMap((field) => operatorsOf(field, types).filter((one) => one.id === id));
    for (const { write } of found) equal(write(value), found[0].write(value));
  }
});

test("the classes of inner queries are found", () => {
  const inner = { className: "Port", where: { country: { $notInQuery: { className: "Country", where: { name: "Peru" } } } } };
  equal(queriedClasses({ $or: [{ home: { $inQuery: inner } }, { home: { __type: "Pointer", className: "Port", objectId: "a" } }] }), ["Port", "Country"]);
  equal([queriedClasses(null), queriedClasses({ home: { $inQuery: 3 } })], [[], []]);
});

test("the fields of conditions are in the order of the forms, and the fields of every object come last", () => {
  const learned = { tags: { type: "Array" }, metres: { type: "Number" }, ACL: { type: "ACL" }, createdAt: { type: "Date" }, name: { type: "String" } };
  equal(filterFields(learned), ["name", "metres", "tags", "objectId", "createdAt", "updatedAt"]);
});
