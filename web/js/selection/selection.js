// The selected objects of the shown class: single objects by their ids, or all objects of the list, which are not read for that.

import { presentationOf } from "../presentations.js";
import { tableOf } from "../tables.js";
import { counted, numberText, plural, t } from "../texts.js";

/**
 * A text that names the list in which objects are selected: the class, the search text and the filter. Null for a view without a
 * selection. A selection ends when the page shows another list of the class.
 */
export function listName(values) {
  const { className, search } = values;
  if (className === null || presentationOf(values, className).isPaged !== true) return null;
  return JSON.stringify([className, search, tableOf(values, className).where]);
}

/** The selection of the shown list: {list, isAll, ids, except}. Nothing is selected if the state has none, or that of another list. */
export function selectionOf(values) {
  const list = listName(values);
  return values.selection?.list === list ? values.selection : noneOf(list);
}

/** The selection without objects. `ids` are the selected ids; if `isAll`, all objects are selected but those in `except`. */
export function noneOf(list) {
  return { list, isAll: false, ids: new Set(), except: new Set() };
}

export function allIn(list) {
  return { ...noneOf(list), isAll: true };
}

export function isSelected({ isAll, ids, except }, objectId) {
  return isAll ? !except.has(objectId) : ids.has(objectId);
}

/** @param total the number of objects of the list */
export function selectedCount({ isAll, ids, except }, total) {
  return isAll ? Math.max(0, total - except.size) : ids.size;
}

export function toggled(selection, objectId) {
  const name = selection.isAll ? "except" : "ids";
  const changed = new Set(selection[name]);
  if (!changed.delete(objectId)) changed.add(objectId);
  return { ...selection, [name]: changed };
}

/** The selection with more objects. */
export function withSelected(selection, objectIds) {
  if (!selection.isAll) return { ...selection, ids: new Set([...selection.ids, ...objectIds]) };
  const selected = new Set(objectIds);
  return { ...selection, except: new Set([...selection.except].filter((id) => !selected.has(id))) };
}

/** The selection after an object has got another id. */
export function renamed(selection, from, to) {
  const rename = (ids) => (ids.has(from) ? new Set([...ids].map((id) => (id === from ? to : id))) : ids);
  return { ...selection, ids: rename(selection.ids), except: rename(selection.except) };
}

/** The selection as text, such as "All 1,204 matching objects are selected". */
export function selectionText(selection, { total, isNarrowed }) {
  const { isAll, except } = selection;
  if (!isAll) return t("{objects} selected", { objects: counted(selectedCount(selection, total), "object") });
  const values = { count: total, except: numberText(except.size) };
  if (isNarrowed && except.size > 0) {
    return plural("The only matching object except {except} is selected", "All {count} matching objects except {except} are selected", values);
  }
  if (isNarrowed) return plural("The only matching object is selected", "All {count} matching objects are selected", values);
  if (except.size > 0) return plural("The only object except {except} is selected", "All {count} objects except {except} are selected", values);
  return plural("The only object is selected", "All {count} objects are selected", values);
}
