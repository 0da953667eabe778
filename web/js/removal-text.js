// The texts about a held removal: its reason, and the two possible decisions.

import { wordsFor } from "./authors.js";
import { counted } from "./values.js";

/**
 * The texts as {lines, keep, confirm, question}: the explanation, the labels of both buttons, and the question that asks for
 * confirmation.
 */
export function removalText(removal) {
  const { className, objects, of, objectIds = [], olderIds = [] } = removal;
  const { mine, theirs } = wordsFor(removal);
  const gone = `${objects} of ${counted(of, "object")} ${objects === 1 ? "is" : "are"} missing on the remote.`;
  switch (removal.reason) {
    case "restoredBackup":
      return {
        lines: [
          [
            "The remote seems to have been restored from an older backup.",
            objectIds.length > 0 && `It lacks ${counted(objectIds.length, "object")}.`,
            olderIds.length > 0 && `It has an older version of ${counted(olderIds.length, "object")}.`,
            "Nothing was changed here.",
          ]
            .filter(Boolean)
            .join(" "),
        ],
        keep: `Send ${mine} again`,
        confirm: `Use ${theirs}`,
        question: `Use the remote's version of ${counted(objects, `${className} object`)}?`,
      };
    case "neverShown":
      return {
        lines: [`The remote accepted ${counted(objects, "new object")}, but never showed ${objects === 1 ? "it" : "them"}.`],
        keep: `Send ${mine} again`,
        confirm: "Remove here",
        question: `Remove ${counted(objects, `${className} object`)}?`,
      };
    default:
      return {
        lines: [`${gone} The remote may have been reset, so nothing was removed here.`],
        keep: "Keep them",
        confirm: "Remove them here",
        question: `Remove ${objects} of ${of} ${className} objects?`,
      };
  }
}
