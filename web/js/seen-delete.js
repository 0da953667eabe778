// Deletes an object as its reader has seen it, and asks again where it has changed since.

import { changedNames } from "./followed-form.js";
import { ask } from "./dialog.js";
import { own } from "./named.js";
import { userFields, valueWords } from "./values.js";

/**
 * @param object as it was shown, with its tag
 * @param name its name for people
 * @returns whether it is deleted; false where the reader wants to keep it as it is now
 */
export async function removeSeen(api, className, object, name) {
  let seen = object;
  for (;;) {
    try {
      await api.remove(className, object.objectId, { tag: seen._sync?.tag });
      return true;
    } catch (error) {
      if (!error.present) throw error;
      const title = `${name} has changed meanwhile`;
      const text = `${changeWords(userFields(seen), userFields(error.present))} Delete it all the same?`;
      if (!(await ask({ title, text, yes: "Delete", no: "Keep it", danger: true }))) return false;
      seen = error.present;
    }
  }
}

/** "details is now: Boats." */
function changeWords(before, after) {
  return changedNames(before, after).map((name) => `${name} is now: ${valueWords(own(after, name))}.`).join(" ");
}
