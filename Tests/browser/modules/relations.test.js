import { relationFields } from "../../../web/js/field-types.js";
import { pointerPaths } from "../../../web/js/inner-paths.js";
import { arraysOf, createReferences, fieldsTo } from "../../../web/js/references.js";
import { relationChange } from "../../../web/js/relation-change.js";
import { createState } from "../../../web/js/state.js";
import { equal, test } from "./check.js";

const pointer = (className, objectId) => ({ __type: "Pointer", className, objectId });
const types = {
  crew: { type: "Relation", targetClass: "Person" },
  captain: { type: "Pointer", targetClass: "Person" },
  home: { type: "Pointer", targetClass: "Port" },
  name: { type: "String" },
};

test("a relation is changed by one operation", () => {
  const [a, b] = [pointer("Person", "a"), pointer("Person", "b")];
  equal(relationChange([], []), undefined);
  equal(relationChange([a], []), { __op: "AddRelation", objects: [a] });
  equal(relationChange([], [b]), { __op: "RemoveRelation", objects: [b] });
  equal(relationChange([a], [b]), { __op: "Batch", ops: [{ __op: "AddRelation", objects: [a] }, { __op: "RemoveRelation", objects: [b] }] });
});

test("the relations of a class are fields of its form", () => {
  const owner = { className: "Boat", objectId: "x" };
  equal(relationFields(types, owner), [{ name: "crew", label: "crew", kind: "relation", targetClass: "Person", owner }]);
});

test("the fields that point to a class are its pointers and relations", () => {
  equal(fieldsTo("Person", types), ["crew", "captain"]);
  equal(arraysOf({ ...types, guests: { type: "Array" } }), ["guests"]);
});

function referencesOf(types, count, pointerPaths = () => []) {
  const state = createState();
  state.update({ status: { classes: [{ name: "Boat" }] }, types: new Map([["Boat", types]]) });
  return createReferences({ api: { count }, state, know: async () => {}, pointerPaths });
}

test("arrays that have an object are counted among the references, and other arrays are left out", async () => {
  const types = { guests: { type: "Array" }, tags: { type: "Array" }, captain: { type: "Pointer", targetClass: "Person" } };
  const { referencesTo } = referencesOf(types, async (_, where) => ("guests" in where ? 2 : 0));
  const found = await referencesTo({ className: "Person", objectId: "a" });
  equal(found.map(({ field, count }) => [field, count]), [["captain", 0], ["guests", 2]]);
});

test("pointers inside of objects are counted by their paths", async () => {
  const asked = [];
  const seen = [{ path: "place.owner", targetClass: "Person" }, { path: "place.port", targetClass: "Port" }];
  const { referencesTo } = referencesOf({ place: { type: "Object" } }, async (_, where) => asked.push(where), () => seen);
  const found = await referencesTo({ className: "Person", objectId: "a" });
  equal(found.map(({ field }) => field), ["place.owner"]);
  equal(asked, [{ "place.owner": pointer("Person", "a") }]);
});

test("the paths of pointers inside of objects are found in objects and lists", () => {
  const place = { owner: pointer("Person", "a"), crew: [pointer("Person", "b")], deep: { port: pointer("Port", "c") }, name: "x" };
  equal(pointerPaths([{ place }, { place }, { place: null }], { place: { type: "Object" } }), [
    { path: "place.owner", targetClass: "Person" },
    { path: "place.crew", targetClass: "Person" },
    { path: "place.deep.port", targetClass: "Port" },
  ]);
});

test("the relations to a class are found in every known class", async () => {
  const { relationsTo } = referencesOf(types, async () => 0);
  equal(await relationsTo("Person"), [{ className: "Boat", field: "crew" }]);
  equal(await relationsTo("Port"), []);
});

test("references are counted in every known class, also if a class cannot be read", async () => {
  const state = createState();
  state.update({ status: { classes: [{ name: "Boat" }, { name: "Secret" }] }, types: new Map([["Boat", types], ["Person", { boss: { type: "Pointer", targetClass: "Person" } }]]) });
  const asked = [];
  const { referencesTo } = createReferences({
    api: { count: async (className, where) => asked.push([className, where]) },
    state,
    know: async (className) => {
      if (className === "Secret") throw new Error("denied");
    },
    pointerPaths: () => [],
  });
  const found = await referencesTo({ className: "Person", objectId: "a" });
  equal(found.map(({ className, field }) => `${className}.${field}`), ["Boat.crew", "Boat.captain", "Person.boss"]);
  equal(asked[1], ["Boat", { captain: pointer("Person", "a") }]);
  equal(found[1].where, { captain: pointer("Person", "a") });
});
