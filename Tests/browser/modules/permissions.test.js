import { keysOf } from "../../../web/js/schema/indexes-page.js";
import {
  allows, entitiesOf, groupsOf, protectedFor, userFieldNames, userIdsOf, withGrant, withGroup, withPointerField, withProtected, withUserField,
} from "../../../web/js/schema/permission-rules.js";
import { equal, test } from "./check.js";

test("a grant is added and removed without a change of other members", () => {
  const before = { find: { "*": true, "role:a": true, pointerFields: ["owner"] }, ACL: { x: {} } };
  const after = withGrant(before, "find", "*", false);
  equal(after, { find: { "role:a": true, pointerFields: ["owner"] }, ACL: { x: {} } });
  equal(before.find["*"], true);
  equal(withGrant({}, "get", "u1", true), { get: { u1: true } });
  equal(allows(after, "find", "role:a"), true);
  equal(entitiesOf(after, "find"), ["role:a"]);
});

test("names of a prototype are plain names", () => {
  equal(allows({ find: {} }, "find", "constructor"), false);
  equal(entitiesOf({}, "toString"), []);
  equal(Object.keys(withGroup({}, "__proto__", ["a"]).protectedFields), ["__proto__"]);
});

test("pointer fields are added to an operation and to the class", () => {
  equal(withPointerField({ get: {} }, "get", "owner", true), { get: { pointerFields: ["owner"] } });
  equal(withPointerField({ get: { pointerFields: ["owner"] } }, "get", "owner", false), { get: {} });
  equal(withUserField({}, "readUserFields", "owner", true), { readUserFields: ["owner"] });
  equal(withUserField({ readUserFields: ["owner"] }, "readUserFields", "owner", false), {});
});

test("fields are hidden from groups", () => {
  const hidden = withProtected({ protectedFields: { "*": ["a"] } }, "*", "b", true);
  equal(protectedFor(hidden, "*"), ["a", "b"]);
  equal(groupsOf(withGroup(hidden, "role:x", [])), ["*", "role:x"]);
  equal(withGroup(hidden, "*", null).protectedFields, {});
});

test("users are told from roles, groups and fields", () => {
  const permissions = { find: { u1: true, "role:a": true }, protectedFields: { "*": [], authenticated: [], "userField:owner": [], u2: [] } };
  equal(userIdsOf(permissions, ["find", "get"]), ["u1", "u2"]);
  equal(userFieldNames({ owner: { type: "Pointer", targetClass: "_User" }, crew: { type: "Array" }, boat: { type: "Pointer", targetClass: "Boat" } }), ["owner", "crew"]);
});

test("a list without pointers among its entries names no users", () => {
  const fields = { owner: { type: "Pointer", targetClass: "_User" }, crew: { type: "Array" }, tags: { type: "Array" }, none: { type: "Array" } };
  const pointer = { __type: "Pointer", className: "_User", objectId: "u1" };
  const objects = [{ tags: ["wood"], crew: ["text"], none: [] }, { tags: null, crew: [pointer] }];
  equal(userFieldNames(fields, objects), ["owner", "crew", "none"]);
});

test("the keys of an index are read from a text", () => {
  equal(keysOf("name, -price"), { name: 1, price: -1 });
});
