// The warnings about a synced class: fetching has stopped at a limit, or some objects are too large to fetch.

import { el } from "./dom.js";
import { skippedText, stoppedText, withFullStop } from "./sync-text.js";
import { t } from "./texts.js";

/** Builds the warnings about one class, with reason and advice. Null if fetching has not stopped and no object is too large. */
export function fetchWarnings(entry) {
  const { stopped, skipped = [] } = entry;
  if (!stopped && skipped.length === 0) return null;
  const advice = t("Their copies on this device may be outdated or missing. Make the objects smaller on the remote. Each is fetched after its next change.");
  const item = ({ objectId, reason }) => el("li", {}, el("code", {}, objectId), `: ${withFullStop(reason)}`);
  return el(
    "div",
    { class: "fetch-warnings" },
    stopped && el("p", {}, `${stoppedText(entry)} ${t("Objects already on this device stay. Your changes are still sent.")}`),
    skipped.length > 0 && [
      el("p", {}, `${skippedText(entry)} ${advice}`),
      el("details", {}, el("summary", {}, t("Show them")), el("ul", {}, skipped.map(item))),
    ],
  );
}
