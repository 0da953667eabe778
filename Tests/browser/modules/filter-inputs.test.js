import { itemOf, itemText } from "../../../web/js/editors/item-text.js";
import { textKinds } from "../../../web/js/editors/text-kinds.js";
import { conditionParts, conditionText } from "../../../web/js/filters/condition-text.js";
import { inputOf } from "../../../web/js/filters/inputs.js";
import { operatorsOf } from "../../../web/js/filters/operators.js";
import { createSavedFilters, savedMax } from "../../../web/js/filters/saved-filters.js";
import { equal, test } from "./check.js";

const types = { name: { type: "String" }, at: { type: "Date" }, place: { type: "GeoPoint" }, home: { type: "Pointer", targetClass: "Country" }, tags: { type: "Array" } };
const pointer = (objectId) => ({ __type: "Pointer", className: "Country", objectId });
const point = { __type: "GeoPoint", latitude: 60, longitude: 5 };

function storage() {
  const items = new Map();
  return { getItem: (name) => items.get(name) ?? null, setItem: (name, text) => items.set(name, text) };
}

test("the value of a condition is the same after its input", () => {
  const both = (name, value, field = {}) => equal(inputOf(name).join(inputOf(name).split(value), field), value);
  both("none", null);
  both("text", "a");
  both("numberRange", { from: 1, to: 2 });
  both("pattern", { pattern: "^a", options: "" });
  both("pattern", { pattern: "^a", options: "i" });
  both("day", "2031-05-17");
  both("period", "this week");
  both("span", { amount: 7, unit: "day" });
  both("objects", [pointer("a"), pointer("b")], { targetClass: "Country" });
  both("query", { className: "Country", where: { name: "Peru" } }, { targetClass: "Country" });
  both("related", { object: pointer("a"), key: "members" });
  both("circle", { center: point, km: 3 });
});

test("every operator has an input whose fields have an editor", () => {
  for (const field of ["name", "at", "place", "home", "tags", "unknown", "$relatedTo"]) {
    for (const { input } of operatorsOf(field, types)) {
      for (const { kind } of inputOf(input).fields({ targetClass: "Country" }, "Boat")) {
        equal(["pointer", "objects", "list", "own"].includes(kind) || kind in textKinds, true);
      }
    }
  }
});

test("an amount of time is a whole number", () => {
  for (const amount of [0, -1, 1.5, 1e9]) {
    let message = "";
    try {
      inputOf("span").join({ amount, unit: "day" });
    } catch (error) {
      ({ message } = error);
    }
    equal(message, "The amount is a whole number of at least 1.");
  }
});

test("an item keeps its type as text", () => {
  for (const value of ["wood", "two words", "12", "true", "null", " a", "", "a\nb", '"a"', "[1]", 12, true, { a: [1] }]) equal(itemOf(itemText(value)), value);
  equal(["wood", "12", 12, true].map(itemText), ["wood", '"12"', "12", "true"]);
  equal(textKinds.places.read("60, 5\n0, 0")[0], point);
  equal(textKinds.places.read("60, 5\n0, 200") instanceof Error, true);
});

test("a chip names the field, the operator and the value", () => {
  equal(conditionText({ field: "name", operator: "contains", value: "a" }, types), "name contains a");
  equal(conditionText({ field: "at", operator: "last", value: { amount: 1, unit: "day" } }, types), "at is in the last 1 day");
  const midnight = { __type: "Date", iso: "2031-05-17T00:00:00.000Z" };
  equal(conditionText({ field: "at", operator: "less", value: midnight }, types), "at is before 17 May 2031, midnight UTC");
  equal(conditionText({ field: "at", operator: "dayBefore", value: "2031-05-17" }, types), "at is before the day 2031-05-17");
  equal(conditionText({ field: "at", operator: "missing", value: null }, types), "at is not set");
  equal(conditionText({ field: "tags", operator: "in", value: ["a", "b", "c", "d", 5] }, types), "tags has one of a, b, c and 2 more");
  equal(conditionText({ field: "place", operator: "near", value: { center: point, km: 20 } }, types), "place is near 60°, 5° (20 km)");
  equal(conditionText({ where: { a: { $wrong: 1 } } }, types), '{"a":{"$wrong":1}}');
  const where = { name: "Peru", $or: [{ size: { $gt: 3 } }, { isFlat: true }] };
  const inQuery = { field: "home", operator: "inQuery", value: { className: "Country", where } };
  const typesOf = () => ({ name: { type: "String" }, size: { type: "Number" }, isFlat: { type: "Boolean" } });
  equal(conditionText(inQuery, types, typesOf), "home points to an object with (name is Peru, (any of size is more than 3, isFlat is Yes))");
  equal(conditionParts({ field: "home", operator: "equal", value: pointer("a") }, types), { field: "home", words: "is", value: "", pointers: [pointer("a")] });
});

test("saved filters belong to a class and a user", () => {
  const place = storage();
  let user = "";
  const saved = createSavedFilters(() => user, place);
  const where = { name: "a" };
  saved.save("Boat", "b", where);
  saved.save("Boat", "a", where);
  saved.save("Boat", "b", { name: "b" });
  equal(saved.of("Boat").map(({ name }) => name), ["a", "b"]);
  equal(saved.of("Boat")[1].where, { name: "b" });
  equal(saved.of("Ship"), []);
  user = "u1";
  equal(saved.of("Boat"), []);
  user = "";
  equal(createSavedFilters(() => user, place).of("Boat").length, 2);
  saved.remove("Boat", "a");
  equal(saved.of("Boat").map(({ name }) => name), ["b"]);
});

test("invalid stored filters are ignored, and the number of filters is bounded", () => {
  const place = storage();
  const saved = createSavedFilters(() => "", place);
  place.setItem("tidegate.filters", "{");
  equal(saved.of("Boat"), []);
  place.setItem("tidegate.filters", JSON.stringify({ '["","Boat"]': [{ name: "a", where: [3] }, { name: "b" }, { where: {} }, null] }));
  equal(saved.of("Boat"), []);
  const where = { name: "a" };
  for (let number = 0; number < savedMax; number += 1) saved.save("Boat", `f${number}`, where);
  let message = "";
  try {
    saved.save("Boat", "one more", where);
  } catch (error) {
    ({ message } = error);
  }
  equal(message.startsWith("At most"), true);
  equal(saved.of("Boat").length, savedMax);
});
