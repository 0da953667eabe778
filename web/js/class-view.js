// One class: its heading, the search, and its objects, or what there is to say when there are none.

import { syncBadge } from "./badge.js";
import { button, iconButton, unseen } from "./buttons.js";
import { announceMatches, drawLede, foundIn, noteFor } from "./class-notes.js";
import { conflictWords } from "./conflict-words.js";
import { today } from "./dates.js";
import { deletionOf, undoMs } from "./deletions.js";
import { el, fill, fillWhenChanged } from "./dom.js";
import { isSearching, pageSize, tableOf } from "./gateway.js";
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
    dir: "auto",
    on: { input: () => seek(search.value) },
  });
  const searchLabel = el("label", { class: "visually-hidden", for: "search" }, "Search in this class");
  const addButton = button("", () => actions.add(state.values.className), { look: "button-primary" });
  const spinner = el("span", { class: "spinner search-spinner", "aria-hidden": "true", hidden: true });
  const tools = el("div", { class: "view-tools" }, el("div", { class: "search" }, icon("search"), searchLabel, search, spinner), addButton);
  const note = el("p", { class: "view-note" });
  const body = el("div", { class: "view-body" });
  fill(
    container,
    heading,
    lede,
    tools,
    note,
    body,
  );
  const does = {
    retry: () => gateway.open(state.values.className),
    showAll: () => seek(""),
    add: () => actions.add(state.values.className),
    keep: () => actions.fetchClass(state.values.className),
    addClass: actions.addClass,
  };
  let drawn = null;
  let typing = null;

  /** Searches what is here; a class that is read page by page is searched by the gateway. */
  function seek(words) {
    const { className } = state.values;
    state.update({ search: words });
    if (!presentationOf(className).isPaged) return;
    clearTimeout(typing);
    typing = setTimeout(() => className === state.values.className && gateway.turn(className, { page: 0 }), typingMs);
  }

  state.show((values) => {
    const presentation = presentationOf(values.className);
    const list = values.lists.get(values.className) ?? { phase: "loading", objects: [], total: 0, search: "" };
    const isBehind = isSearching(values, list);
    const found = foundIn(list, presentation, values.search);
    const day = today();
    document.title = values.className === null ? "Tidegate" : `${presentation.title} · Tidegate`;
    tools.hidden = values.className === null;
    heading.textContent = presentation.title;
    drawLede(lede, list.phase === "ready" ? presentation.lede(list.objects, day) : [" "]);
    fillWhenChanged(addButton, presentation.one, () => [icon("plus"), el("span", {}, `Add ${presentation.one}`)]);
    if (search.value !== values.search) search.value = values.search;
    note.textContent = noteFor(values, list, found);
    note.hidden = note.textContent === "";
    body.setAttribute("aria-busy", String(list.phase === "loading" || isBehind));
    body.classList.toggle("is-behind", isBehind);
    spinner.hidden = !isBehind;

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
      stamp: (object) => {
        const deletion = deletionOf(values, values.className, object.objectId);
        return `${withBadge} ${reasons.get(object.objectId)} ${deletion?.at} ${JSON.stringify(object)}`;
      },
      side: (object) => {
        const deletion = deletionOf(values, values.className, object.objectId);
        return deletion ? leavingSide(object, deletion) : side(values.className, object, withBadge, reasons.get(object.objectId));
      },
      table: {
        ...tableOf(values, values.className),
        // The page of the rows that are shown; the one that was asked for may still be on its way.
        page: list.page,
        isCounted: !isBehind,
        types: values.types.get(values.className) ?? {},
        total: list.total,
        pageSize,
        sortBy: (order) => gateway.turn(values.className, { order, page: 0 }),
        turnTo: (page) => gateway.turn(values.className, { page }),
      },
    });
  });

  announceMatches(state, notices);

  /** Of an object that is about to be deleted: the way to keep it, where the button was that deletes it. */
  function leavingSide(object, { className, name, at }) {
    const { objectId } = object;
    const words = ["Undo", unseen(` deleting ${name}`)];
    const undo = button(words, () => actions.undoRemoval(className, object), { look: "button-small", focus: `Delete ${objectId}` });
    const time = el("span", { class: "leaving-time", "aria-hidden": "true" });
    time.style.animationDuration = `${undoMs}ms`;
    // An entry that is drawn anew meanwhile goes on where it was.
    time.style.animationDelay = `${at - Date.now()}ms`;
    return {
      isLeaving: true,
      badge: el("span", { class: "badge badge-deleted" }, icon("trash"), el("span", {}, "Deleted"), time),
      actions: el("span", { class: "entry-actions" }, undo),
    };
  }

  /** Where an object stands, and what can be done with it. */
  function side(className, object, withBadge, reason) {
    const { objectId } = object;
    const name = object.name ? valueWords(object.name) : objectId;
    const action = (label, sign, run) =>
      iconButton(`${label} ${name}`, sign, run, { title: label, focus: `${label} ${objectId}` });
    const syncState = stateOf(object);
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

/** The state that the badge shows: a synced object may be one that the remote has acknowledged and does not show. */
function stateOf({ _sync: { state = "synced", hidden = false } = {} }) {
  return hidden && state === "synced" ? "hidden" : state;
}

/** Object id to why the object is refused or in conflict, in the class that is shown. */
function reasonsOf({ className, rejections, conflicts }) {
  const reasons = new Map();
  for (const item of conflicts) if (item.className === className) reasons.set(item.objectId, conflictWords(item).title);
  for (const item of rejections) if (item.className === className) reasons.set(item.objectId, item.error);
  return reasons;
}
