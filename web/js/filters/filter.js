// A filter: conditions in groups. A filter is a JSON value, and is never changed in place.
//
// - A group is {match, items}. `match` is "all", "any" or "none" of its items.
// - A condition is {field, operator, value}.
// - A raw condition is {where}: a part of a `where` that no operator of the page can show.
//
// A path is the list of indexes that leads from the filter to one of its items; the filter itself has the path [].

import { operatorOf } from "./operators.js";

export const emptyFilter = { match: "all", items: [] };

/** The maximum depth of groups inside of groups, and the maximum number of items of a stored filter. */
const depthMax = 8;
const itemsMax = 200;

export const matches = ["all", "any", "none"];

export function isEmpty(filter) {
  return filter.items.length === 0;
}

export function isGroup(item) {
  return Array.isArray(item.items);
}

/** The number of conditions in a group and the groups inside of it. */
export function conditionCount({ items }) {
  return items.reduce((count, item) => count + (isGroup(item) ? conditionCount(item) : 1), 0);
}

/** The item at a path. */
export function itemAt(filter, path) {
  return path.reduce((group, index) => group.items[index], filter);
}

/** Adds an item at the end of the group at a path. */
export function withItem(filter, path, item) {
  return changed(filter, path, (group) => ({ ...group, items: [...group.items, item] }));
}

/** Replaces the item at a path. */
export function withReplaced(filter, path, item) {
  return changed(filter, path, () => item);
}

/** Removes the item at a path, and each group that becomes empty. */
export function withoutItem(filter, path) {
  if (path.length === 0) return emptyFilter;
  const above = path.slice(0, -1);
  const left = changed(filter, above, (group) => ({ ...group, items: group.items.filter((_, index) => index !== path.at(-1)) }));
  return above.length > 0 && isEmpty(itemAt(left, above)) ? withoutItem(left, above) : left;
}

function changed(group, [index, ...rest], change) {
  if (index === undefined) return change(group);
  return { ...group, items: group.items.map((item, at) => (at === index ? changed(item, rest, change) : item)) };
}

/** Whether a JSON value from outside of the page, for example from its storage, is a filter. */
export function isFilter(value) {
  return isValidGroup(value, depthMax) && conditionCount(value) <= itemsMax;
}

function isValidGroup(value, depth) {
  return depth > 0 && matches.includes(value?.match) && Array.isArray(value.items) && value.items.every((item) => isValidItem(item, depth - 1));
}

function isValidItem(item, depth) {
  if (typeof item !== "object" || item === null) return false;
  if (isGroup(item)) return isValidGroup(item, depth);
  if (Object.hasOwn(item, "where")) return typeof item.where === "object" && item.where !== null && !Array.isArray(item.where);
  return typeof item.field === "string" && isWritable(item);
}

/** Whether the operator of a condition can write the value of the condition. */
function isWritable(condition) {
  const operator = operatorOf(condition);
  if (!operator) return false;
  try {
    const written = operator.write(condition.value, new Date());
    return written !== undefined;
  } catch {
    return false;
  }
}
