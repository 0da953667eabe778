// One class: its heading, the search, and its objects, or what there is to say when there are none.

import { syncBadge } from "./badge.js";
import { button, iconButton } from "./buttons.js";
import { announceMatches, drawLede, foundIn, noteFor } from "./class-notes.js";
import { conflictWords } from "./conflict-words.js";
import { today } from "./dates.js";
import { el, fill, fillWhenChanged } from "./dom.js";
import { pageSize, tableOf } from "./gateway.js";
import { icon } from "./icons.js";
import { messageFor } from "./messages.js";
import { presentationOf } from "./presentations.js";
import { isReplica } from "./sync-words.js";
import { valueWords } from "./values.js";

/** How long a search waits for the next letter before the gateway is asked. */
const typingMs = 200;

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
    on: { input: () => seek(search.value) },
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
    showAll: () => seek(""),
    add: () => actions.add(state.values.className),
    keep: () => actions.fetchClass(state.values.className),
  };
  let drawn = null;
  let typing = null;

  /** Searches what is here; a class that is read page by page is searched by the gateway. */
  function seek(words) {
    const { className } = state.values;
    state.update({ search: words });
    if (!presentationOf(className).isPaged) return;
    clearTimeout(typing);
    typing = setTimeout(() => gateway.turn(className, { page: 0 }), typingMs);
  }

  state.show((values) => {
    const presentation = presentationOf(values.className);
    const list = values.lists[values.className] ?? { phase: "loading", objects: [], total: 0 };
    const found = foundIn(list, presentation, values.search);
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
    const reasons = reasonsOf(values);
    presentation.draw(body, found, {
      today: day,
      stamp: (object) => `${withBadge} ${reasons.get(object.objectId)} ${JSON.stringify(object)}`,
      side: (object) => side(values.className, object, withBadge, reasons.get(object.objectId)),
      table: {
        ...tableOf(values, values.className),
        types: values.types[values.className] ?? {},
        total: list.total,
        pageSize,
        sortBy: (order) => gateway.turn(values.className, { order, page: 0 }),
        turnTo: (page) => gateway.turn(values.className, { page }),
      },
    });
  });

  announceMatches(state, notices);

  /** Where an object stands, and what can be done with it. */
  function side(className, object, withBadge, reason) {
    const { objectId } = object;
    const name = object.name ? valueWords(object.name) : objectId;
    const action = (label, sign, run) =>
      iconButton(`${label} ${name}`, sign, run, { title: label, focus: `${label} ${objectId}` });
    const syncState = object._sync?.state ?? "synced";
    return {
      reason: withBadge && ["rejected", "conflict"].includes(syncState) && reason,
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

/** Object id to why the object is refused or in conflict, in the class that is shown. */
function reasonsOf({ className, rejections, conflicts }) {
  const reasons = new Map();
  for (const item of conflicts) if (item.className === className) reasons.set(item.objectId, conflictWords(item).title);
  for (const item of rejections) if (item.className === className) reasons.set(item.objectId, item.error);
  return reasons;
}
