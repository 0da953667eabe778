// Writes a filter as the `where` of a query, and reads a `where` as a filter.

import { allOf, emptyFilter, isEmpty, isGroup } from "./filter.js";
import { hasOperators, isObject } from "./operator-forms.js";
import { fieldType, operatorOf, operatorsOf } from "./operators.js";
import { relatedTo } from "./pointer-operators.js";
import { record } from "../records.js";

const keyOf = { any: "$or", none: "$nor" };
/** The maximum depth of groups. A deeper group becomes a raw condition. */
const depthMax = 8;

/** The `where` of a filter; null for a filter without conditions. */
export function toWhere(filter) {
  if (isEmpty(filter)) return null;
  // A single condition needs no `$or`. A group of the filter keeps its `$or`, so that further conditions can be added to it.
  return written(filter.match === "any" && filter.items.length === 1 ? { ...filter, match: "all" } : filter);
}

/** The names of the classes on whose objects a `where` has conditions, such as in `$inQuery`. */
export function queriedClasses(where, depth = 4 * depthMax) {
  if (depth === 0 || (!isObject(where) && !Array.isArray(where))) return [];
  return Object.entries(where).flatMap(([key, value]) => {
    const isQuery = (key === "$inQuery" || key === "$notInQuery") && typeof value?.className === "string";
    return [...(isQuery ? [value.className] : []), ...queriedClasses(value, depth - 1)];
  });
}

function written(item) {
  if (item.where) return item.where;
  if (!isGroup(item)) return record({ [item.field]: operatorOf(item).write(item.value) });
  const parts = item.items.map(written);
  return item.match === "all" ? allOf(...parts) : { [keyOf[item.match]]: parts };
}

/**
 * Reads a `where` as a filter. A part that no operator can show becomes a raw condition.
 *
 * @param types the known field types of the class
 */
export function fromWhere(where, types) {
  if (where === null) return emptyFilter;
  const items = itemsOf(where, types, depthMax);
  const [only] = items;
  // Several conditions in the only group are the conditions of the filter.
  return items.length === 1 && isGroup(only) && only.items.length > 1 ? only : { match: "all", items };
}

function itemsOf(where, types, depth) {
  return Object.entries(where).flatMap(([key, value]) => {
    const isList = depth > 0 && Array.isArray(value) && value.length > 0 && value.every(isObject);
    if (key === "$and" && isList && value.every((part) => Object.keys(part).length > 0)) return value.flatMap((part) => itemsOf(part, types, depth - 1));
    if (key === "$or" && isList) return [{ match: "any", items: value.map((part) => itemOf(part, types, depth - 1)) }];
    if (key === "$nor" && isList) return [{ match: "none", items: value.map((part) => itemOf(part, types, depth - 1)) }];
    if (key.startsWith("$") && key !== relatedTo) return [raw(key, value)];
    return conditionsOf(key, value, types);
  });
}

/** A part of `$or` or `$nor` as one item. */
function itemOf(where, types, depth) {
  const items = itemsOf(where, types, depth);
  if (items.length === 0) return { where };
  return items.length === 1 ? items[0] : { match: "all", items };
}

/** The conditions on one field. Several operators on a field, such as `$gt` and `$lt`, become several conditions. */
function conditionsOf(field, condition, types) {
  const whole = conditionOf(field, condition, types);
  if (whole) return [whole];
  const isDivisible = hasOperators(condition) && fieldType(field, types).type !== "Relation";
  const parts = isDivisible ? Object.entries(condition).map(([key, operand]) => conditionOf(field, { [key]: operand }, types)) : [];
  return parts.length > 0 && parts.every(Boolean) ? parts : [raw(field, condition)];
}

function conditionOf(field, condition, types) {
  for (const { id, read } of operatorsOf(field, types)) {
    const value = read(condition);
    if (value !== undefined) return { field, operator: id, value };
  }
  return null;
}

function raw(key, value) {
  return { where: record({ [key]: value }) };
}
