// The texts above the list of a class: the next holiday or birthday, the number of matches, and warnings.

import { visuallyHidden } from "./buttons.js";
import { el, fillWhenChanged } from "./dom.js";
import { isFiltered, isSearching, objectsMax } from "./lists.js";
import { presentationOf, readingOf } from "./presentations.js";
import { reveal } from "./reveal.js";
import { skippedText, stoppedText } from "./sync-text.js";
import { tableOf } from "./tables.js";
import { counted, numberText, t } from "./texts.js";
import { unknownFieldsText } from "./unknown-fields.js";
import { isEqual, matches } from "./values.js";

/** Draws the sentence above the list. A name in the sentence is a button that scrolls to the object's entry. */
export function drawIntro(intro, parts) {
  const jump = ({ objectId, words }) =>
    el(
      "button",
      { class: "text-button", type: "button", data: { focus: "next" }, on: { click: () => reveal(objectId, true) } },
      el("bdi", {}, words),
      visuallyHidden(t(", show in the list")),
    );
  intro.hidden = parts.length === 0;
  const node = (item) => (typeof item === "string" ? item : jump(item));
  fillWhenChanged(intro, JSON.stringify(parts), () => parts.map(node));
}

/** The objects that match the search text. The gateway has searched the list of a table or an almanac. */
export function matchesIn(list, presentation, search) {
  return readingOf(presentation) !== "all" ? list.objects : list.objects.filter((object) => matches(object, search));
}

/** The note above the list: "Searching …", or the number of matches and the warnings about the class; empty without either. */
export function noteFor(values, list, found) {
  const { search, className, status } = values;
  if (isSearching(values, list)) return t("Searching …");
  const notes = [];
  const isWhole = readingOf(presentationOf(values, className)) === "all";
  const isNarrowed = search.trim() !== "" || isFiltered(values);
  if (isNarrowed && found.length > 0) {
    notes.push(!isWhole || search.trim() === "" ? `${counted(list.total, "match", "matches")}.` : t("{found} of {all} match.", { found: numberText(found.length), all: numberText(list.objects.length) }));
  }
  if (search.trim() !== "" && list.searched) notes.push(list.searched);
  if (isPart(list)) notes.push(t("Showing {count} of {total}.", { count: numberText(list.objects.length), total: numberText(list.total) }));
  if (isWhole && list.objects.length >= objectsMax) notes.push(t("Showing the first {objectsMax} objects.", { objectsMax: numberText(objectsMax) }));
  const entry = status?.classes?.find(({ name }) => name === className);
  const isSentOnly = status?.mode === "replica" && entry && !entry.registered;
  if (entry?.stopped) notes.push(stoppedText(entry));
  if (entry?.skipped?.length > 0) notes.push(`${skippedText(entry)} ${t("See Sync details for the list.")}`);
  if (isSentOnly) notes.push(t("Your changes to this class are sent. Its objects are not fetched from the remote."));
  notes.push(unknownFieldsText(values));
  return notes.filter(Boolean).join(" ");
}

/** Whether an almanac shows only a part of its objects. */
function isPart({ hidden }) {
  return hidden !== undefined && hidden.earlier + hidden.later > 0;
}

/** Announces the number of matches to screen readers after each search and each change of the filter. */
export function announceMatches(state, notices) {
  let announced = { search: "", where: null };
  state.show((values) => {
    const { className, search, lists } = values;
    const { where } = tableOf(values, className);
    const list = lists.get(className);
    if (announced.search === search && isEqual(announced.where, where)) return;
    if (list?.phase !== "ready" || isSearching(values, list)) return;
    announced = { search, where };
    if (search === "" && where === null) return;
    const presentation = presentationOf(values, className);
    const count = readingOf(presentation) !== "all" ? list.total : matchesIn(list, presentation, search).length;
    notices.announce(counted(count, "match", "matches"));
  });
}
