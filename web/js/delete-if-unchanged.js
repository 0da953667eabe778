// Deletes an object. If another client has changed the object since the user saw it, the user confirms the deletion again.

import { changedNames } from "./live-form.js";
import { ask } from "./dialog.js";
import { ownValue } from "./records.js";
import { t } from "./texts.js";
import { userFields, valueText } from "./values.js";

/**
 * @param object the version of the object that the user saw, with its tag
 * @param name the object's name, for texts
 * @returns whether the object was deleted; false if the user decided to keep it
 */
export async function deleteIfUnchanged(api, className, object, name) {
  let seen = object;
  for (;;) {
    try {
      await api.remove(className, object.objectId, { tag: seen._sync?.tag });
      return true;
    } catch (error) {
      if (!error.present) throw error;
      const title = t("{name} has changed", { name });
      const text = `${changeText(userFields(seen), userFields(error.present))} ${t("Delete it anyway?")}`;
      if (!(await ask({ title, text, yes: t("Delete"), no: t("Keep it"), danger: true }))) return false;
      seen = error.present;
    }
  }
}

/** The changed fields and their new values as text, such as "details is now: Boats." */
function changeText(before, after) {
  return changedNames(before, after).map((name) => t("{name} is now: {value}.", { name, value: valueText(ownValue(after, name)) })).join(" ");
}
