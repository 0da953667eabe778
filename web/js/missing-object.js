// Why an object to which a pointer leads is not here.

import { isReplica } from "./sync-text.js";
import { t } from "./texts.js";

/** Whether the objects of a class are not fetched from the remote. */
export function isNotKept(values, className) {
  return isReplica(values) && !values.status.classes?.some(({ name, registered }) => name === className && registered);
}

/**
 * Whether the page knows that no object of a class is here: the class is not kept, and no object of it was made here. The sync status
 * does not list all classes of Parse itself, such as `_User`.
 */
export function hasNoObjects(values, className) {
  if (!isNotKept(values, className) || className.startsWith("_")) return false;
  return !(values.status.classes?.find(({ name }) => name === className)?.objects > 0);
}

/** The reason in a word and in a sentence: {word, why}. */
export function whyMissing(values, className) {
  if (!isNotKept(values, className)) return { word: t("not found"), why: t("There is no such object here, or you may not read it.") };
  return { word: t("not kept"), why: t("The class {className} is not kept here. Follow the link to keep it.", { className }) };
}
