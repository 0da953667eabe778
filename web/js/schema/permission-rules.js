// Reads and changes the permissions of a class. The functions change no object: they return changed permissions. Members that the
// form does not know stay as they are.

import { ownValue, record } from "../records.js";

/** The members of an operation that name no user and no role. */
const general = ["*", "requiresAuthentication", "pointerFields"];

/** The users (by id) and roles (`role:NAME`) to which an operation is allowed, besides everybody and signed-in users. */
export function entitiesOf(permissions, operation) {
  const allowed = ownValue(permissions, operation) ?? {};
  return Object.keys(allowed).filter((entity) => !general.includes(entity));
}

/** Whether an operation is allowed to a user, a role, `*` or `requiresAuthentication`. */
export function allows(permissions, operation, entity) {
  return ownValue(ownValue(permissions, operation), entity) === true;
}

export function withGrant(permissions, operation, entity, isAllowed) {
  const allowed = record(ownValue(permissions, operation));
  if (isAllowed) allowed[entity] = true;
  else delete allowed[entity];
  return record(permissions, { [operation]: allowed });
}

/** The pointer fields whose users may carry out an operation. */
export function pointerFieldsOf(permissions, operation) {
  return listOf(ownValue(ownValue(permissions, operation), "pointerFields"));
}

export function withPointerField(permissions, operation, field, isAllowed) {
  const allowed = record(ownValue(permissions, operation));
  const fields = withItem(pointerFieldsOf(permissions, operation), field, isAllowed);
  if (fields.length > 0) allowed.pointerFields = fields;
  else delete allowed.pointerFields;
  return record(permissions, { [operation]: allowed });
}

/** The pointer fields whose users may read, or write, all of an object: `readUserFields` or `writeUserFields`. */
export function userFieldsOf(permissions, member) {
  return listOf(ownValue(permissions, member));
}

export function withUserField(permissions, member, field, isAllowed) {
  const fields = withItem(userFieldsOf(permissions, member), field, isAllowed);
  const changed = record(permissions, { [member]: fields });
  if (fields.length === 0) delete changed[member];
  return changed;
}

/** The groups that have protected fields, such as `*`, `authenticated`, `role:editors` and `userField:owner`. */
export function groupsOf(permissions) {
  return Object.keys(ownValue(permissions, "protectedFields") ?? {});
}

/** The fields that a group may not read. */
export function protectedFor(permissions, group) {
  return listOf(ownValue(ownValue(permissions, "protectedFields"), group));
}

export function withProtected(permissions, group, field, isProtected) {
  return withGroup(permissions, group, withItem(protectedFor(permissions, group), field, isProtected));
}

/** @param fields the protected fields of the group; null to remove the group */
export function withGroup(permissions, group, fields) {
  const groups = record(ownValue(permissions, "protectedFields"));
  if (fields === null) delete groups[group];
  else groups[group] = fields;
  return record(permissions, { protectedFields: groups });
}

/** The ids of all users that permissions name. */
export function userIdsOf(permissions, operations) {
  const named = [...operations.flatMap((operation) => entitiesOf(permissions, operation)), ...groupsOf(permissions)];
  return [...new Set(named)].filter((entity) => !/^(\*|authenticated|role:.*|userField:.*)$/s.test(entity));
}

/**
 * The fields that can name users: pointers to users, and lists.
 *
 * @param objects objects of the class. A list is left out if they have entries in it, and none is a pointer
 */
export function userFieldNames(fields, objects = []) {
  const mayHold = (name) => {
    const entries = objects.flatMap((object) => ownValue(object, name) ?? []);
    return entries.length === 0 || entries.some((entry) => entry?.__type === "Pointer");
  };
  return Object.keys(fields).filter((name) => {
    const { type, targetClass } = fields[name];
    return type === "Array" ? mayHold(name) : type === "Pointer" && targetClass === "_User";
  });
}

function listOf(value) {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function withItem(items, item, isPresent) {
  const others = items.filter((each) => each !== item);
  return isPresent ? [...others, item] : others;
}
