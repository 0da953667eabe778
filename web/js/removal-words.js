// A removal that is held back, its reason, and the two answers, in words. Pure.

import { counted } from "./values.js";

/** {lines, keep, confirm, question}: the sentences, the labels of the buttons, and the question before theirs is taken. */
export function removalWords(removal) {
  const { className, objects, of, objectIds = [], olderIds = [] } = removal;
  const gone = `${objects} of ${counted(of, "object")} ${objects === 1 ? "is" : "are"} gone from the remote.`;
  switch (removal.reason) {
    case "restoredBackup":
      return {
        lines: [
          [
            "The remote seems to have been restored from an older backup.",
            objectIds.length > 0 && `It lacks ${counted(objectIds.length, "object")}.`,
            olderIds.length > 0 && `It shows ${counted(olderIds.length, "object")} as before an edit.`,
            "Nothing was changed here.",
          ]
            .filter(Boolean)
            .join(" "),
        ],
        keep: "Send ours again",
        confirm: "Take theirs",
        question: `Take the remote's state of ${counted(objects, `${className} object`)}?`,
      };
    case "neverShown":
      return {
        lines: [`The remote took ${counted(objects, "new object")}, has never shown it, and says that there is none.`],
        keep: "Send ours again",
        confirm: "Remove here",
        question: `Remove ${counted(objects, `${className} object`)}?`,
      };
    default:
      return {
        lines: [`${gone} That can mean that it was reset, so nothing was removed here.`],
        keep: "Keep them",
        confirm: "Remove them here",
        question: `Remove ${objects} of ${of} ${className} objects?`,
      };
  }
}
