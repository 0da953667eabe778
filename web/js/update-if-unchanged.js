// Sets fields of an object. Asks the user first if a field has another value than the user has seen.

import { ask } from "./dialog.js";
import { ownValue } from "./records.js";
import { t } from "./texts.js";
import { isEqual, valueText } from "./values.js";

/**
 * @param fields the values to set
 * @param known the values that the user has seen in these fields: {name: value}
 * @param name the object's name, for the question
 * @returns whether the object was updated; false if the user decided to keep the current values
 */
export async function updateIfUnchanged(api, { className, objectId }, fields, known, name) {
  const present = await api.read(className, objectId);
  const changed = Object.keys(fields).filter((field) => !isEqual(ownValue(present, field), ownValue(known, field)));
  if (changed.length > 0) {
    const text = changed.map((field) => t("{field} is now: {value}.", { field, value: valueText(ownValue(present, field)) })).join(" ");
    const isWanted = await ask({
      title: t("{name} has changed", { name }),
      text: `${text} ${t("Replace it?")}`,
      yes: t("Replace"),
      no: t("Keep it"),
      danger: true,
    });
    if (!isWanted) return false;
  }
  await api.update(className, objectId, fields, present._sync?.tag);
  return true;
}
