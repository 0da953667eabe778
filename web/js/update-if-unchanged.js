// Sets fields of an object. If one of these fields does not have the value that the user expects, the user confirms first.

import { ask } from "./dialog.js";
import { ownValue } from "./records.js";
import { isEqual, valueText } from "./values.js";

/**
 * @param fields the values to set
 * @param known an object with the values that the user expects in these fields
 * @param name the object's name, for texts
 * @returns whether the object was updated; false if the user decided to keep the current values
 */
export async function updateIfUnchanged(api, { className, objectId }, fields, known, name) {
  const present = await api.read(className, objectId);
  const changed = Object.keys(fields).filter((field) => !isEqual(ownValue(present, field), ownValue(known, field)));
  if (changed.length > 0) {
    const text = changed.map((field) => `${field} is now: ${valueText(ownValue(present, field))}.`).join(" ");
    const isWanted = await ask({
      title: `${name} has changed`,
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
