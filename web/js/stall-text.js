// The texts about stalled work: changes and pulls that wait for a long time although the remote answers.

import { ownValue } from "./records.js";
import { plural, t } from "./texts.js";

/** The ways out that the page itself offers, by the reason of the gateway. For other reasons, the gateway's own text is shown. */
const waysOut = {
  logIn: t("Sign in again."),
  object: t("Open that object below, and decide about its change or conflict."),
  file: t("Choose a file that the remote accepts, or undo the change under Pending."),
  unknownOutcome: t("Press Refresh to make Tidegate look again."),
  refusedForNow: t("Correct the cause on the remote. Tidegate then sends the change by itself. Or undo the change under Pending."),
  failed: t("Correct the cause on the remote. Tidegate then sends the change by itself. Or undo the change under Pending."),
  running: t("Wait until the sync is over."),
  unexplained: t("Press Refresh and read the warnings under Remote. Or undo the change under Pending."),
};

/** The stalled work as a headline, such as "1 change is not sent". */
export function stallHeadline({ changes, pulls, entries }) {
  const fetched = pulls === 1 && entries.find(({ kind }) => kind === "pull")?.className;
  const parts = [
    entries.some(({ kind }) => kind === "sync") && t("syncs fail"),
    pulls > 0 && plural("{name} is not fetched", "{count} classes are not fetched", { count: pulls, name: fetched || t("1 class") }),
    changes > 0 && plural("{count} change is not sent", "{count} changes are not sent", { count: changes }),
  ];
  return t("Stalled: {work}", { work: parts.filter(Boolean).join(", ") });
}

/** The way out of a stall as a sentence for the user of the page. */
export function wayOut({ reason, wayOut: words }) {
  return ownValue(waysOut, reason) ?? words;
}

/** A text that identifies an entry among the entries of a stall. */
export function stallKey({ kind, className, id }) {
  return [kind, className, id].filter((part) => part !== undefined).join(" ");
}
