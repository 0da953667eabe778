// The texts about stalled work: changes and pulls that wait for a long time although the remote answers.

import { ownValue } from "./records.js";
import { counted } from "./values.js";

/** The ways out that the page itself offers, by the reason of the gateway. For other reasons, the gateway's own text is shown. */
const waysOut = {
  logIn: "Sign in again.",
  object: "Open that object below, and decide about its change or conflict.",
  file: "Choose a file that the remote accepts, or undo the change under Pending.",
  unknownOutcome: "Press Refresh to make Tidegate look again.",
  refusedForNow: "Correct the cause on the remote. Tidegate then sends the change by itself. Or undo the change under Pending.",
  failed: "Correct the cause on the remote. Tidegate then sends the change by itself. Or undo the change under Pending.",
  running: "Wait until the sync is over.",
  unexplained: "Press Refresh and read the warnings under Remote. Or undo the change under Pending.",
};

/** The stalled work as a headline, such as "1 change is not sent". */
export function stallHeadline({ changes, pulls, entries }) {
  const fetched = pulls === 1 && entries.find(({ kind }) => kind === "pull")?.className;
  const parts = [
    entries.some(({ kind }) => kind === "sync") && "syncs fail",
    pulls > 0 && `${fetched || counted(pulls, "class", "classes")} ${pulls === 1 ? "is" : "are"} not fetched`,
    changes > 0 && `${counted(changes, "change")} ${changes === 1 ? "is" : "are"} not sent`,
  ];
  return `Stalled: ${parts.filter(Boolean).join(", ")}`;
}

/** The way out of a stall as a sentence for the user of the page. */
export function wayOut({ reason, wayOut: words }) {
  return ownValue(waysOut, reason) ?? words;
}

/** A text that identifies an entry among the entries of a stall. */
export function stallKey({ kind, className, id }) {
  return [kind, className, id].filter((part) => part !== undefined).join(" ");
}
