// The words above the objects of a class: what comes next, how many match, and what else there is to know of the list.

import { unseen } from "./buttons.js";
import { el, fillWhenChanged } from "./dom.js";
import { isSearching, objectsMax } from "./gateway.js";
import { presentationOf } from "./presentations.js";
import { reveal } from "./reveal.js";
import { skippedWords, stoppedWords } from "./sync-words.js";
import { counted, matches } from "./values.js";

/** The sentence above the list; a name in it leads to its entry. */
export function drawLede(lede, parts) {
  const jump = ({ objectId, words }) =>
    el(
      "button",
      { class: "text-button", type: "button", data: { focus: "next" }, on: { click: () => reveal(objectId, true) } },
      el("bdi", {}, words),
      unseen(", show in the list"),
    );
  lede.hidden = parts.length === 0;
  const node = (item) => (typeof item === "string" ? item : jump(item));
  fillWhenChanged(lede, JSON.stringify(parts), () => parts.map(node));
}

/** The objects that match; a page of a table holds nothing else. */
export function foundIn(list, { isPaged }, search) {
  return isPaged ? list.objects : list.objects.filter((object) => matches(object, search));
}

/** What to know of the list that is shown; empty for nothing. */
export function noteFor({ search, className, status }, list, found) {
  if (isSearching({ className, search }, list)) return "Searching …";
  const notes = [];
  const { isPaged } = presentationOf(className);
  if (search.trim() !== "" && found.length > 0) {
    notes.push(isPaged ? `${counted(list.total, "match", "matches")}.` : `${found.length} of ${list.objects.length} match.`);
  }
  if (!isPaged && list.objects.length >= objectsMax) notes.push(`The first ${objectsMax.toLocaleString("en")} objects are shown.`);
  const entry = status?.classes?.find(({ name }) => name === className);
  const isSentOnly = status?.mode === "replica" && entry && !entry.registered;
  if (entry?.stopped) notes.push(stoppedWords(entry));
  if (entry?.skipped?.length > 0) notes.push(`${skippedWords(entry)} Sync details name them.`);
  if (isSentOnly) notes.push("Changes to this class are sent, but it is not fetched from the remote.");
  return notes.join(" ");
}

/** Reads out how many objects match, each time that the search has become another. */
export function announceMatches(state, notices) {
  let announced = "";
  state.show(({ className, search, lists }) => {
    const list = lists.get(className);
    const presentation = presentationOf(className);
    if (announced === search || list?.phase !== "ready") return;
    if (presentation.isPaged && list.search !== search) return;
    announced = search;
    if (search === "") return;
    const count = presentation.isPaged ? list.total : foundIn(list, presentation, search).length;
    notices.announce(counted(count, "match", "matches"));
  });
}
