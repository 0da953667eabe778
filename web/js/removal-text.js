// The texts about a held removal: its reason, and the two possible decisions.

import { wordsFor } from "./authors.js";
import { counted, numberText, plural, t } from "./texts.js";

/**
 * The texts as {lines, keep, confirm, question}: the explanation, the labels of both buttons, and the question that asks for
 * confirmation.
 */
export function removalText(removal) {
  const { className, objects, of, objectIds = [], olderIds = [] } = removal;
  const { mine, theirs } = wordsFor(removal);
  const gone = plural("{count} of {objects} is missing on the remote.", "{count} of {objects} are missing on the remote.", { count: objects, objects: counted(of, "object") });
  switch (removal.reason) {
    case "restoredBackup":
      return {
        lines: [
          [
            t("The remote seems to have been restored from an older backup."),
            objectIds.length > 0 && t("It lacks {objects}.", { objects: counted(objectIds.length, "object") }),
            olderIds.length > 0 && t("It has an older version of {objects}.", { objects: counted(olderIds.length, "object") }),
            t("Nothing was changed here."),
          ]
            .filter(Boolean)
            .join(" "),
        ],
        keep: t("Send {mine} again", { mine }),
        confirm: t("Use {theirs}", { theirs }),
        question: plural("Use the remote's version of {count} {className} object?", "Use the remote's version of {count} {className} objects?", { count: objects, className }),
      };
    case "neverShown":
      return {
        lines: [plural("The remote accepted {count} new object, but never showed it.", "The remote accepted {count} new objects, but never showed them.", { count: objects })],
        keep: t("Send {mine} again", { mine }),
        confirm: t("Remove here"),
        question: plural("Remove {count} {className} object?", "Remove {count} {className} objects?", { count: objects, className }),
      };
    default:
      return {
        lines: [`${gone} ${t("The remote may have been reset, so nothing was removed here.")}`],
        keep: t("Keep them"),
        confirm: t("Remove them here"),
        question: t("Remove {objects} of {all} {className} objects?", { objects: numberText(objects), all: numberText(of), className }),
      };
  }
}
