// The main view: the heading, the search field and the objects of one class, or a message in place of the objects.

import { syncBadge } from "./badge.js";
import { copy } from "./bulk/hand-over.js";
import { button, iconButton, visuallyHidden } from "./buttons.js";
import { announceMatches, drawIntro, matchesIn, noteFor } from "./list-header.js";
import { isDeniedInClass } from "./class-rights.js";
import { conflictText } from "./conflict-text.js";
import { today } from "./dates.js";
import { deletionOf, undoMs } from "./deletions.js";
import { el, fill, fillWhenChanged } from "./dom.js";
import { followClicks } from "./row-clicks.js";
import { isSearching } from "./lists.js";
import { openColumnDialog } from "./grid/column-dialog.js";
import { shownColumns } from "./grid/columns.js";
import { indexOf } from "./grid/row-window.js";
import { icon } from "./icons.js";
import { selectedCount, selectionOf } from "./selection/selection.js";
import { messageFor } from "./messages.js";
import { isDenied } from "./object-view.js";
import { presentationOf, readingOf, viewNames, viewOf, viewsOf } from "./presentations.js";
import { isReplica } from "./sync-text.js";
import { tableOf } from "./tables.js";
import { t } from "./texts.js";
import { valueText } from "./values.js";

/** The pause in typing, in milliseconds, after which the search text is sent to the gateway. */
const typingMs = 200;
const searchedHint = t("Finds words in texts, list items, captions of pointers and texts inside of objects, and numbers, dates, yes, no and ids");

/**
 * @param filterBar {tools, chips, query}: the nodes of the filter
 * @param selectionBar the node of the bar for selected objects
 * @param copyRows copies the selected objects
 * @param showDecision opens the details panel at the rejected change or conflict of an object
 * @param answerOffer `(isWanted)`: applies the query of a link, or shows all objects
 * @param captionField `(className)`: the caption field of a class, or null
 * @param chooseCaption opens the form that sets the caption field of the shown class
 */
export function showClassView(container, { state, actions, gateway, names, notices, filterBar, selecting, selectionBar, copyRows, showDecision, answerOffer, captionField, chooseCaption }) {
  const heading = el("h1", { class: "view-title" });
  const intro = el("p", { class: "view-intro" });
  const search = el("input", {
    class: "input search-input",
    id: "search",
    type: "search",
    placeholder: t("Search"),
    autocomplete: "off",
    dir: "auto",
    title: searchedHint,
    "aria-description": searchedHint,
    on: { input: () => seek(search.value) },
  });
  const searchLabel = el("label", { class: "visually-hidden", for: "search" }, t("Search in this class"));
  const addButton = button("", () => actions.add(state.values.className), { className: "button-primary" });
  const spinner = el("span", { class: "spinner search-spinner", "aria-hidden": "true", hidden: true });
  const views = el("div", { class: "view-switch", role: "group", "aria-label": t("Views") });
  const searchField = el("div", { class: "search" }, icon("search"), searchLabel, search, spinner);
  const tools = el("div", { class: "view-tools" }, searchField, filterBar.tools, views, addButton, filterBar.chips);
  const note = el("p", { class: "view-note" });
  const stopButton = button(t("Stop"), () => gateway.stop(state.values.className), { className: "button-small" });
  const noteRow = el("div", { class: "note-row" }, note, stopButton);
  const body = el("div", { class: "view-body" });
  followClicks(body, {
    follow: (objectId) => follow(listed(state.values, objectId)),
    open(objectId) {
      const object = listed(state.values, objectId);
      if (object !== null) actions.edit(state.values.className, object);
    },
    isSelecting: () => state.values.selection !== null,
    toggle: (objectId) => selecting.toggle(indexOf(state.values.lists.get(state.values.className), objectId)),
  });
  fill(
    container,
    el("header", { class: "view-head" }, heading, intro),
    tools,
    filterBar.query,
    noteRow,
    body,
  );
  const handlers = {
    retry: () => gateway.open(state.values.className),
    showAll: () => showAll(),
    add: () => actions.add(state.values.className),
    keep: () => actions.fetchClass(state.values.className),
    addClass: actions.addClass,
    connect: actions.connect,
    loadSamples: actions.loadSamples,
    answerOffer,
  };
  let drawn = null;
  let typing = null;

  /** Searches the shown class. If the page has all objects, it filters them. Otherwise, the gateway searches after a pause in typing. */
  function seek(words) {
    const { className } = state.values;
    state.update({ search: words });
    if (readingOf(presentationOf(state.values, className)) === "all") return;
    clearTimeout(typing);
    typing = setTimeout(() => className === state.values.className && gateway.changeTable(className, { at: 0 }), typingMs);
  }

  /** Shows all objects of the class, without the search text and the filter. */
  function showAll() {
    const { className } = state.values;
    state.update({ search: "" });
    gateway.changeTable(className, { where: null, at: 0 });
  }

  state.show((values) => {
    if (values.tool !== null) return;
    const presentation = presentationOf(values, values.className);
    const list = listFor(values, presentation);
    const isOutdated = isSearching(values, list);
    const found = matchesIn(list, presentation, values.search);
    const day = today();
    document.title = values.className === null ? "Tidegate" : `${presentation.title} · Tidegate`;
    tools.hidden = values.className === null;
    heading.textContent = presentation.title;
    drawIntro(intro, list.phase === "ready" ? presentation.intro(list.objects, day) : [" "]);
    drawViews(views, values);
    fillWhenChanged(addButton, presentation.one, () => [icon("plus"), el("span", {}, t("Add {one}", { one: presentation.one }))]);
    const words = values.offered?.search ?? values.search;
    if (search.value !== words) search.value = words;
    addButton.hidden = isDeniedInClass(values, values.className, "create");
    search.readOnly = values.offered !== null;
    note.textContent = noteFor(values, list, found);
    note.hidden = note.textContent === "";
    body.setAttribute("aria-busy", String(list.phase === "loading" || isOutdated));
    body.classList.toggle("is-outdated", isOutdated);
    spinner.hidden = !isOutdated;
    stopButton.hidden = !isOutdated;
    noteRow.hidden = note.hidden && stopButton.hidden;

    const message = messageFor(values, list, found, presentation, { ...handlers, offerText: filterBar.textOf });
    const view = message ? `message ${message.stamp}` : `${viewOf(values, values.className)} ${values.className}`;
    // The container shows the objects of one class, or one message. Another class or message replaces the whole content.
    const isNew = drawn !== view;
    const hadFocus = isNew && body.contains(document.activeElement);
    if (isNew) fill(body, message?.build());
    if (hadFocus) container.focus({ preventScroll: true });
    // A table fills the view to its edges.
    container.classList.toggle("has-grid", message === null && presentation.isPaged === true);
    drawn = view;
    if (message) return;
    const withBadge = isReplica(values);
    const reasons = reasonsOf(values);
    presentation.draw(body, found, {
      today: day,
      stamp: (object) => {
        const deletion = deletionOf(values, values.className, object.objectId);
        return `${withBadge} ${reasons.get(object.objectId)} ${deletion?.at} ${isOpen(values, object)} ${JSON.stringify(object)}`;
      },
      side: (object) => {
        const deletion = deletionOf(values, values.className, object.objectId);
        return deletion ? deletionSide(object, deletion) : side(values.className, object, { withBadge, reason: reasons.get(object.objectId), isInTable: presentation.isPaged === true });
      },
      mark: (object) => `${withBadge} ${reasons.get(object.objectId)} ${deletionOf(values, values.className, object.objectId)?.at} ${isOpen(values, object)}`,
      hidden: list.hidden,
      showMore: (side) => gateway.showMore(values.className, side),
      isNew,
      table: tableContext(values, list, presentation),
    });
  });

  announceMatches(state, notices);

  async function copyText(text, place) {
    try {
      await copy(text, place);
      notices.announce(t("Copied."));
    } catch (error) {
      notices.warn(error.message);
    }
  }

  /** Moves the pane to an object of the shown class. Returns whether it has moved. */
  function follow(object) {
    return object !== null && actions.follow(state.values.className, object);
  }

  /** What the table of a class needs besides the objects: its columns, and the actions of its parts. */
  function tableContext(values, list, presentation) {
    const { className, remembered } = values;
    const types = values.types.get(className) ?? {};
    const { order, columns: chosen, widths, at } = tableOf(values, className);
    const columns = shownColumns(types, chosen, widths, remembered.times);
    const change = (patch) => gateway.changeTable(className, patch);
    return {
      list,
      types,
      at,
      columns,
      times: remembered.times,
      order: order ?? presentation.order,
      sortBy: (next) => change({ order: next, at: 0 }),
      setWidth: (name, width) => change({ widths: { ...widths, [name]: width } }),
      chooseColumns: () => openColumnDialog({ types, shown: columns.map(({ name }) => name), choose: (names) => change({ columns: names }) }),
      captionField: captionField(className),
      chooseCaption,
      chooseTimes: (times) => gateway.chooseTimes(times),
      rest: (first) => change({ at: first }),
      need: (first, last) => gateway.needRows(className, first, last),
      showHeld: () => gateway.showHeld(className),
      holdWhile: gateway.holdWhile,
      editCell: (object, name, value) => actions.editCell(className, object, name, value),
      refuseCell: (object, name, reason) => actions.refuseCell(className, object, name, reason),
      undoEdit: actions.undoEdit,
      copyText: (text) => copyText(text, body),
      copyRows,
      isSavingCell: actions.isSavingCell,
      openObject: (object, first) => actions.edit(className, object, first),
      nameOf: ({ objectId }) => names.of(className, objectId),
      selecting,
      selectedCount: selectedCount(selectionOf(values), list.total),
      bar: selectionBar,
      follow,
    };
  }

  /** Draws the buttons that change the view of the class; none for a class with one view. */
  function drawViews(node, values) {
    const { className, lists } = values;
    const isRead = lists.get(className)?.phase === "ready";
    const names = className !== null && isRead ? viewsOf(values, className) : [];
    const shown = className === null ? null : viewOf(values, className);
    const choose = (view) => gateway.changeTable(className, { view });
    fillWhenChanged(node, JSON.stringify([className, names, shown]), () =>
      names.length > 1 && names.map((name) =>
        el(
          "button",
          { class: "view-choice", type: "button", "aria-pressed": String(name === shown), data: { focus: `view ${name}` }, on: { click: () => choose(name) } },
          viewNames[name],
        ),
      ),
    );
    node.hidden = names.length < 2;
  }

  /** The badge and the buttons of an object that is about to be deleted. An Undo button replaces the Delete button. */
  function deletionSide(object, { className, name, at }) {
    const { objectId } = object;
    const words = [t("Undo"), visuallyHidden(t(" deleting {name}", { name }))];
    const undo = button(words, () => actions.undoRemoval(className, object), { className: "button-small", focus: `trash ${objectId}` });
    const time = el("span", { class: "deletion-countdown", "aria-hidden": "true" });
    time.style.animationDuration = `${undoMs}ms`;
    // If the entry is redrawn, the countdown continues where it was.
    time.style.animationDelay = `${at - Date.now()}ms`;
    return {
      isOpen: isOpen(state.values, object),
      isDeleting: true,
      badge: el("span", { class: "badge badge-deleted" }, icon("trash"), el("span", {}, t("Deleted")), time),
      actions: el("span", { class: "entry-actions" }, undo),
    };
  }

  /** The sync badge, its reason and the buttons of an object. The row of a table has the button that opens it in its first cell. */
  function side(className, object, { withBadge, reason, isInTable }) {
    const { objectId } = object;
    const name = object.name ? valueText(object.name) : names.nameIn(className, object);
    const action = (label, title, iconName, run) => iconButton(label, iconName, run, { title, focus: `${iconName} ${objectId}` });
    const syncState = stateOf(object);
    return {
      isOpen: isOpen(state.values, object),
      reason: withBadge && ["rejected", "conflict"].includes(syncState) && reason,
      badge: withBadge && syncBadge(syncState, objectId, () => showDecision(className, objectId)),
      actions: syncState !== "deleted" && el(
        "span",
        { class: "entry-actions" },
        !isInTable && (isDenied(object, "update")
          ? action(t("View {name}", { name }), t("View"), "eye", () => actions.edit(className, object))
          : action(t("Edit {name}", { name }), t("Edit"), "pencil", () => actions.edit(className, object))),
        !isDenied(object, "delete") && action(t("Delete {name}", { name }), t("Delete"), "trash", () => actions.remove(className, object)),
      ),
    };
  }
}

/** The list of the shown class. While the list of another view is the only one, the list is loading. */
function listFor({ lists, className }, presentation) {
  const list = lists.get(className);
  const isOther = list?.phase === "ready" && list.reading !== readingOf(presentation);
  return list === undefined || isOther ? { phase: "loading", objects: [], total: 0, search: "" } : list;
}

/** Whether the pane shows an object of the shown class. */
function isOpen({ className, opened }, { objectId }) {
  return opened?.className === className && opened.objectId === objectId;
}

/** The object of the shown list with an id; null if it is not loaded. */
function listed({ className, lists }, id) {
  return lists.get(className)?.objects.find(({ objectId }) => objectId === id) ?? null;
}

/** The sync state that the badge shows. "hidden": the remote has accepted the object but does not show it. */
function stateOf({ _sync: { state = "synced", hidden = false } = {} }) {
  return hidden && state === "synced" ? "hidden" : state;
}

/** The reasons of rejected changes and conflicts in the shown data of the current class: a map by object id. */
function reasonsOf({ className, rejections, conflicts }) {
  const reasons = new Map();
  const isShown = (item) => item.className === className && item.space === undefined;
  for (const item of conflicts.filter(isShown)) reasons.set(item.objectId, conflictText(item).title);
  for (const item of rejections.filter(isShown)) reasons.set(item.objectId, item.error);
  return reasons;
}
