// The objects of a kept class that are not fetched, in the details: those over a limit of the class, and those that are too
// large.

import { el } from "./dom.js";
import { skippedWords, stoppedWords, withStop } from "./sync-words.js";

/** With the reason and the way on. Null where everything is fetched. */
export function classShortfall(entry) {
  const { stopped, skipped = [] } = entry;
  if (!stopped && skipped.length === 0) return null;
  const advice = "The copies here may be out of date, or missing. Make the objects smaller on the remote: each is fetched with its next change.";
  const item = ({ objectId, reason }) => el("li", {}, el("code", {}, objectId), `: ${withStop(reason)}`);
  return el(
    "div",
    { class: "class-shortfall" },
    stopped && el("p", {}, `${stoppedWords(entry)} The objects that are here stay, and changes are sent as before.`),
    skipped.length > 0 && [
      el("p", {}, `${skippedWords(entry)} ${advice}`),
      el("details", {}, el("summary", {}, "Which ones"), el("ul", {}, skipped.map(item))),
    ],
  );
}
