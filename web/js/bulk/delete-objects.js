// Deletes many objects. An object that another client has changed since it was read stays.

import { t } from "../texts.js";
import { pathOf, writeAll } from "./write-batches.js";
import { isDenied } from "../object-view.js";

/** @returns {items, denied}: the objects to delete, and the number of those that the user may not delete */
export function deletionsOf(objects, nameOf) {
  const open = objects.filter((object) => !isDenied(object, "delete"));
  return { items: open.map((object) => itemOf(object, nameOf(object.objectId))), denied: objects.length - open.length };
}

function itemOf(object, name) {
  return { objectId: object.objectId, name, tag: object._sync?.tag, state: object._sync?.state, object };
}

/** Sends deletions. Resolves to the results for `runJob`. */
export async function sendDeletions(api, className, items, progress) {
  const writes = items.map(({ objectId, tag }) => ({ method: "DELETE", path: pathOf(className, objectId), ifMatch: tag }));
  const results = await writeAll(api, writes, progress);
  return results.map(({ isDone, reason, present, code, isDenied }, at) => {
    const item = items[at];
    // An object that is already deleted needs no further deletion.
    if (isDone || (code === 101 && !isDenied)) return { item, isDone: true };
    if (present) return { item, isChanged: true, again: itemOf(present, item.name), reason: t("It has changed since it was read") };
    return { item, reason };
  });
}
