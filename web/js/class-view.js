// One class: its heading, the search, and its objects, or what there is to say when there are none.

import { syncBadge } from "./badge.js";
import { button, iconButton, unseen } from "./buttons.js";
import { today } from "./dates.js";
import { el, fill, fillWhenChanged } from "./dom.js";
import { objectsMax } from "./gateway.js";
import { icon } from "./icons.js";
import { messageFor } from "./messages.js";
import { presentationOf } from "./presentations.js";
import { reveal } from "./reveal.js";
import { isReplica } from "./sync-words.js";
import { counted, matches, valueWords } from "./values.js";

/** @param showDecision opens the panel at an object's refused change or conflict */
export function showClassView(container, { state, actions, gateway, notices, showDecision }) {
  const heading = el("h1", { class: "view-title" });
  const lede = el("p", { class: "view-lede" });
  const search = el("input", {
    class: "input search-input",
    id: "search",
    type: "search",
    placeholder: "Search",
    autocomplete: "off",
    on: { input: () => state.update({ search: search.value }) },
  });
  const searchLabel = el("label", { class: "visually-hidden", for: "search" }, "Search in this class");
  const addButton = button("", () => actions.add(state.values.className), { look: "button-primary" });
  const note = el("p", { class: "view-note" });
  const body = el("div", { class: "view-body" });
  fill(
    container,
    heading,
    lede,
    el("div", { class: "view-tools" }, el("div", { class: "search" }, icon("search"), searchLabel, search), addButton),
    note,
    body,
  );
  const does = {
    retry: () => gateway.open(state.values.className),
    showAll: () => state.update({ search: "" }),
    add: () => actions.add(state.values.className),
  };
  let drawn = null;

  state.show((values) => {
    const presentation = presentationOf(values.className);
    const list = values.lists[values.className] ?? { phase: "loading", objects: [] };
    const found = list.objects.filter((object) => matches(object, values.search));
    const day = today();
    document.title = `${presentation.title} · Tidegate`;
    heading.textContent = presentation.title;
    drawLede(lede, list.phase === "ready" ? presentation.lede(list.objects, day) : [" "]);
    fillWhenChanged(addButton, presentation.one, () => [icon("plus"), el("span", {}, `Add ${presentation.one}`)]);
    if (search.value !== values.search) search.value = values.search;
    note.textContent = noteFor(values, list, found);
    note.hidden = note.textContent === "";
    body.setAttribute("aria-busy", String(list.phase === "loading"));

    const message = messageFor(values, list, found, presentation, does);
    const view = message ? `message ${message.stamp}` : `objects ${values.className}`;
    // Objects and messages draw into the same place; whoever comes next starts with it empty.
    if (drawn !== view) fill(body, message?.build());
    drawn = view;
    if (message) return;
    const withBadge = isReplica(values);
    presentation.draw(body, found, {
      today: day,
      stamp: (object) => `${withBadge} ${JSON.stringify(object)}`,
      side: (object) => side(values.className, object, withBadge),
    });
  });

  announceMatches(state, notices);

  /** Where an object stands, and what can be done with it. */
  function side(className, object, withBadge) {
    const { objectId } = object;
    const name = object.name ? valueWords(object.name) : objectId;
    const action = (label, sign, run) =>
      iconButton(`${label} ${name}`, sign, run, { title: label, focus: `${label} ${objectId}` });
    const syncState = object._sync?.state ?? "synced";
    return {
      badge: withBadge && syncBadge(syncState, objectId, () => showDecision(className, objectId)),
      actions: syncState !== "deleted" && el(
        "span",
        { class: "entry-actions" },
        action("Edit", "pencil", () => actions.edit(className, object)),
        action("Delete", "trash", () => actions.remove(className, object)),
      ),
    };
  }
}

/** The sentence above the list; a name in it leads to its entry. */
function drawLede(lede, parts) {
  const jump = ({ objectId, words }) =>
    el(
      "button",
      { class: "text-button", type: "button", data: { focus: "next" }, on: { click: () => reveal(objectId, true) } },
      words,
      unseen(", show in the list"),
    );
  lede.hidden = parts.length === 0;
  const node = (item) => (typeof item === "string" ? item : jump(item));
  fillWhenChanged(lede, JSON.stringify(parts), () => parts.map(node));
}

function noteFor({ search, className, status }, list, found) {
  const notes = [];
  if (search.trim() !== "" && found.length > 0) notes.push(`${found.length} of ${list.objects.length} match.`);
  if (list.objects.length >= objectsMax) notes.push(`The first ${objectsMax.toLocaleString("en")} objects are shown.`);
  const entry = status?.classes?.find(({ name }) => name === className);
  const isSentOnly = status?.mode === "replica" && entry && !entry.registered;
  if (isSentOnly) notes.push("Changes to this class are sent, but it is not fetched from the remote.");
  return notes.join(" ");
}

/** Reads out how many objects match, each time that the search has become another. */
function announceMatches(state, notices) {
  let announced = "";
  state.show(({ className, search, lists }) => {
    const list = lists[className];
    if (announced === search || list?.phase !== "ready") return;
    announced = search;
    if (search === "") return;
    notices.announce(counted(list.objects.filter((object) => matches(object, search)).length, "match", "matches"));
  });
}
