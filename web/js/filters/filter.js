// A filter: conditions in groups. The chips show a `where` as a filter. A filter is never changed in place.
//
// - A group is {match, items}. `match` is "all", "any" or "none" of its items.
// - A condition is {field, operator, value}.
// - A raw condition is {where}: a part of a `where` that no operator of the page can show.
//
// A path is the list of indexes that leads from the filter to one of its items; the filter itself has the path [].

import { record } from "../records.js";

export const emptyFilter = { match: "all", items: [] };

export const matches = ["all", "any", "none"];

export function isEmpty(filter) {
  return filter.items.length === 0;
}

export function isGroup(item) {
  return Array.isArray(item.items);
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

/** One `where` that demands all of several ones; null for none. */
export function allOf(...wheres) {
  const parts = wheres.filter((where) => where !== null);
  if (parts.length < 2) return parts[0] ?? null;
  const keys = parts.flatMap((where) => Object.keys(where));
  return new Set(keys).size === keys.length ? record(...parts) : { $and: parts };
}
