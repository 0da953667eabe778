// Connects the page's address with the state: shows the place that the address names, and writes the shown place into the address.
// Each place has an entry in the browser's history. Typing and scrolling change the current entry.

import { isSamePlace, nowhere, readAddress, writeAddress } from "./address.js";
import { firstClass, presentationOf, standardView, viewOf } from "./presentations.js";
import { standardTable, tableOf } from "./tables.js";
import { listed, t } from "./texts.js";

/** The names of an address's parts, for the notice about parts that cannot be read. */
const partNames = {
  class: t("the class"),
  view: t("the view"),
  where: t("the filter"),
  sort: t("the sort order"),
  columns: t("the columns"),
  at: t("the place in the list"),
  panel: t("the panel"),
};

/**
 * @param open `(opened)`: opens the object or the conflict that the address names; null opens the latest draft
 * @param closeDialogs closes all dialogs without a question
 */
export function createNavigation({ state, gateway, notices, open, closeDialogs }) {
  let written = nowhere;
  /** The number of the latest place. A place that is still loading when the next one is shown opens nothing. */
  let latest = 0;
  let isArriving = true;
  /** The fragment that the page has read or written last. Another one belongs to an event that has not arrived yet. */
  let known = location.hash;

  /**
   * Copies the place of the address into the state.
   *
   * @param keeps whether parts that the address leaves out keep the values that the user has chosen before
   */
  function take({ place, unreadable }, keeps) {
    const { status, panelOpen } = state.values;
    if (unreadable.length > 0) notices.warnHere(unreadableText(unreadable));
    if (place.tool !== null) {
      return state.update({ tool: place.tool, opened: null, offered: null, panelOpen: place.panel || (keeps && panelOpen) });
    }
    const className = place.className ?? firstClass(status);
    const opened = openedAt({ ...place, className }, state.values.opened);
    // A link on another site can contain any query, so the user is asked before the gateway runs it.
    const asks = keeps && (place.search !== "" || place.where !== null);
    const given = {
      where: asks ? null : place.where,
      at: place.at,
      ...chosen("order", place.sort),
      ...chosen("view", place.view),
      ...chosen("columns", place.columns),
    };
    // The address does not have the widths of the columns.
    const { widths, ...exact } = standardTable;
    const standard = keeps ? {} : exact;
    state.update({
      tool: null,
      offered: asks ? { search: place.search, where: place.where } : null,
      panelOpen: place.panel || (keeps && panelOpen),
      opened,
    });
    return gateway.show(className, { search: asks ? "" : place.search, table: { ...standard, ...given } });
  }

  async function arrive() {
    const address = readAddress(location.hash);
    if (address === undefined) return;
    const number = ++latest;
    known = location.hash;
    // The form of the same object stays open, with the text in it.
    const { opened } = state.values;
    const stays = opened !== null && openedAt(address.place, opened) === opened;
    if (!stays) closeDialogs();
    isArriving = true;
    written = address.place;
    notices.leavePlace();
    // A form needs the fields of its class, so the class is loaded before the form opens.
    await take(address, history.state?.isPlace !== true);
    if (number === latest && !stays) await open(state.values.opened);
  }

  function write(values) {
    // The address `#owner=…` has the token of a link, which is read first.
    const hasPlace = values.className !== null || values.tool !== null;
    if (!hasPlace || location.hash !== known || readAddress(known) === undefined) return;
    const place = placeOf(values);
    const address = writeAddress(place);
    const isNew = !isArriving && !isSamePlace(place, written);
    isArriving = false;
    written = place;
    const isPlace = values.offered === null;
    if (address === location.hash && history.state?.isPlace === isPlace) return;
    if (isNew) notices.leavePlace();
    history[isNew ? "pushState" : "replaceState"]({ isPlace }, "", address);
    known = location.hash;
  }

  return {
    /** Copies the place of the page's address into the state, before the first request. */
    begin() {
      const address = readAddress(location.hash) ?? { place: nowhere, unreadable: [] };
      written = address.place;
      take(address, history.state?.isPlace !== true);
      state.show(write);
    },
    arrive,
    /**
     * Updates the state without a new entry in the history, because the shown place has no object or conflict of its address. The
     * Back button would return to an entry of its own, and so to the missing object.
     */
    amend(patch) {
      isArriving = true;
      state.update(patch);
    },
    /** Continues to write addresses after another part of the page has replaced the address. */
    resume() {
      known = location.hash;
      write(state.values);
    },
    /** Applies the search text and the filter of a link, or shows all objects instead. */
    answerOffer(isWanted) {
      const { offered, className } = state.values;
      state.update({ offered: null });
      return gateway.show(className, isWanted ? { search: offered.search, table: { where: offered.where } } : { search: "", table: { where: null } });
    },
    /**
     * Shows a class in the way that the user has last chosen, with a filter, and opens an object of it. Without a class, shows the
     * first one.
     */
    async goTo(className, { objectId = null, where = null } = {}) {
      closeDialogs();
      notices.leavePlace();
      const opened = objectId === null ? null : { className, objectId, conflict: null };
      state.update({ tool: null, opened, offered: null });
      await gateway.show(className ?? firstClass(state.values.status), { search: "", table: { where, at: 0 } });
      await open(opened);
    },
    /** Shows a tool in place of the class, and closes the pane of the class's object. */
    goToTool(tool) {
      closeDialogs();
      state.update({ tool, opened: null, offered: null });
    },
  };
}

/**
 * The object or the conflict that a place names; null if it names neither.
 *
 * @param before the object or the conflict whose form is open. If the place names the same one, the result is identical to it
 */
function openedAt({ className, objectId, conflict }, before) {
  if (objectId === null && conflict === null) return null;
  const isSame = before?.className === className && before.objectId === objectId && before.conflict === conflict;
  return isSame ? before : { className, objectId, conflict };
}

/** The place that the page shows. A part with its standard value is null. */
function placeOf(values) {
  const { tool, className, opened, panelOpen, offered } = values;
  if (tool !== null) return { ...nowhere, tool, panel: panelOpen };
  const table = tableOf(values, className);
  const view = viewOf(values, className);
  return {
    className,
    objectId: opened?.objectId ?? null,
    conflict: opened?.conflict ?? null,
    view: view === standardView(className) ? null : view,
    where: offered ? offered.where : table.where,
    search: offered ? offered.search : values.search,
    sort: table.order,
    columns: table.columns,
    at: presentationOf(values, className).isPaged ? table.at : 0,
    panel: panelOpen,
  };
}

function chosen(name, value) {
  return value === null ? {} : { [name]: value };
}

function unreadableText(parts) {
  const names = listed(parts.map((part) => partNames[part] ?? part));
  return t("The page cannot read {names} of this address.", { names });
}
