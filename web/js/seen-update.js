// Sets fields of an object that its reader knows from a record only, and asks where the object holds something else by now.

import { ask } from "./dialog.js";
import { own } from "./named.js";
import { isEqual, valueWords } from "./values.js";

/**
 * @param fields the values to set
 * @param known the values of the fields in the record
 * @param name the object's name for people
 * @returns whether it was done; false where the reader wants to keep the present values
 */
export async function updateSeen(api, { className, objectId }, fields, known, name) {
  const present = await api.read(className, objectId);
  const changed = Object.keys(fields).filter((field) => !isEqual(own(present, field), own(known, field)));
  if (changed.length > 0) {
    const text = changed.map((field) => `${field} is now: ${valueWords(own(present, field))}.`).join(" ");
    const isWanted = await ask({
      title: `${name} has changed since`,
      text: `${text} Replace it?`,
      yes: "Replace",
      no: "Keep it",
      danger: true,
    });
    if (!isWanted) return false;
  }
  await api.update(className, objectId, fields, present._sync?.tag);
  return true;
}
