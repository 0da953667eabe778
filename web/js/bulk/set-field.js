// Sets a field of many objects, or removes it. An object that another client has changed since it was read stays unchanged.

import { t } from "../texts.js";
import { pathOf, writeAll } from "./write-batches.js";
import { isDenied } from "../object-view.js";
import { ownValue } from "../records.js";
import { isEqual } from "../values.js";

/**
 * What setting a field does to objects: {items, same, denied}. `items` are the objects to change, `same` and `denied` the numbers of
 * the objects that have the value already, and of those that the user may not change.
 *
 * @param value the value to set; undefined to remove the field
 * @param nameOf `(objectId)`: the name of an object
 */
export function planOf(objects, field, value, nameOf) {
  const open = objects.filter((object) => !isDenied(object, "update"));
  // The gateway leaves out a null in its answers, so an object without the field can have a null or no value.
  const changing = open.filter((object) => value === null || !isEqual(ownValue(object, field), value));
  return {
    items: changing.map((object) => itemOf(object, field, nameOf(object.objectId))),
    same: open.length - changing.length,
    denied: objects.length - open.length,
  };
}

function itemOf(object, field, name) {
  const { objectId, _sync } = object;
  return { objectId, name, tag: _sync?.tag, state: _sync?.state, before: ownValue(object, field) };
}

/** Sends a field's value. Resolves to the results for `runJob`. */
export async function sendField(api, { className, field, value }, items, progress) {
  const body = { [field]: value === undefined ? { __op: "Delete" } : value };
  const writes = items.map(({ objectId, tag }) => ({ method: "PUT", path: pathOf(className, objectId), body, ifMatch: tag }));
  const results = await writeAll(api, writes, progress);
  return results.map((result, at) => {
    const item = items[at];
    const { isDone, reason, present, code } = result;
    if (isDone) return { item, isDone };
    // The answer to an earlier attempt may have been lost.
    if (present && isEqual(ownValue(present, field) ?? null, value ?? null)) return { item, isDone: true };
    if (present) return { item, isChanged: true, again: itemOf(present, field, item.name), reason: t("It has changed since it was read") };
    return { item, reason: code === 101 && !result.isDenied ? t("It was deleted") : reason };
  });
}
