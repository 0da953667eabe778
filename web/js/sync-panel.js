// The details panel: conflicts, rejected and pending changes, held removals, the sync history, the remote and the classes.

import { entryKey, withAuthor } from "./authors.js";
import { button, iconButton } from "./buttons.js";
import { classRows } from "./class-rows.js";
import { remoteValuesToRestore } from "./conflict-view.js";
import { agoText, formatMoment } from "./dates.js";
import { el, fillWhenChanged, reconcile } from "./dom.js";
import { entriesMax } from "./entries.js";
import { historyView } from "./history-view.js";
import { createEntries } from "./panel-entries.js";
import { createPanelLists } from "./panel-list.js";
import { stallKey } from "./stall-text.js";
import { numberText, t } from "./texts.js";
import { mayOperate } from "./users.js";
import { isReplica, withFullStop } from "./sync-text.js";
import { descriptionList } from "./description-list.js";
import { pendingReason } from "./pending-reason.js";

/** The number of resolved conflicts that the panel shows at first, and adds on request. */
const resolvedStep = 20;

/** Returns {showEntry}: `showEntry(className, objectId)` shows the page of the list that has the decision about an object. */
export function showSyncPanel(container, { state, actions, names, close, showResolved, listMore }) {
  const { nameOf, namesOf, ...entries } = createEntries(actions, names);
  const panelLists = createPanelLists({ nameOf, namesOf }, { decideAll: actions.decideAll, listMore, redraw: state.redraw });
  const sections = el("div", { class: "panel-sections" });
  const resolvedList = el("div", { class: "panel-list" });
  const resolvedAbout = el("p", { class: "panel-text" }, t("Each entry shows the decision as it was made. It stays the same if you undo the decision or change the object later."));
  let resolvedShown = resolvedStep;
  const resolved = el(
    "details",
    { class: "panel-section panel-resolved", on: { toggle: () => showResolved(resolved.open) } },
    el("summary", { class: "panel-subtitle" }, t("Resolved conflicts")),
    resolvedAbout,
    resolvedList,
  );
  container.append(
    el(
      "header",
      { class: "panel-head" },
      el("h2", { class: "panel-title" }, t("Sync details")),
      iconButton(t("Close details"), "close", close),
    ),
    sections,
    resolved,
  );

  state.show((values) => {
    container.hidden = !(values.panelOpen && isReplica(values));
    if (container.hidden) return;
    const stalled = (values.status.stalled?.entries ?? []).map((entry) => ({ ...withAuthor(entry, values.users ?? []), id: stallKey(entry) }));
    const lists = [
      { key: "stalled", title: t("Stalled"), items: stalled, entry: entries.stallEntry },
      { key: "conflicts", title: t("Conflicts"), items: values.conflicts, entry: entries.conflictEntry },
      { key: "rejections", title: t("Rejected"), items: values.rejections, entry: entries.rejectionEntry },
      { key: "removals", title: t("Held back"), items: values.removals, entry: (item) => entries.removalEntry(item, mayOperate(values)), mayDecide: mayOperate(values) },
      { key: "pending", title: t("Pending"), items: values.pending.map((change) => withReason(change, values)), entry: entries.pendingEntry },
    ]
      .map((list) => ({ ...list, ...countOf(list, values.status) }))
      .filter(({ key, total }) => total > 0 || key === "pending");
    const others = [
      { key: "history", draw: (node) => drawHistory(node, values) },
      { key: "remote", draw: (node) => drawRemote(node, values.status) },
      { key: "classes", draw: (node) => drawClasses(node, values.status, mayOperate(values)) },
    ];
    reconcile(sections, [...lists, ...others], {
      key: (section) => section.key,
      build: (section) =>
        el(
          "section",
          { class: `panel-section panel-${section.key}` },
          el("h3", { class: "panel-subtitle" }),
          !section.draw && el("div", { class: "panel-all", hidden: true }),
          el("div", { class: "panel-list" }),
        ),
      update: (node, section) => (section.draw ? section.draw(node) : panelLists.draw(node, section)),
    });
    if (values.resolvedOpen) drawResolved(values);
  });

  function withReason(change, values) {
    return { ...change, reason: pendingReason(change, values, names) };
  }

  function showEntry(className, objectId) {
    for (const key of ["conflicts", "rejections"]) {
      panelLists.showPageOf(key, state.values[key], (item) => item.className === className && item.objectId === objectId);
    }
    state.redraw();
  }

  function drawClasses(node, { classes }, mayChange) {
    const button = () => iconButton(t("Sync another class"), "plus", actions.addClass, { title: t("Sync another class"), focus: "add class" });
    fillWhenChanged(node.firstElementChild, `title ${mayChange}`, () => [t("Classes"), mayChange && button()]);
    const stamp = JSON.stringify([classes, mayChange]);
    const decided = t("If both sides have changed the same field, the side of this device is kept, unless the options of the class say otherwise. Resolved conflicts list what was decided.");
    fillWhenChanged(node.lastElementChild, stamp, () => [classes.length > 0 && el("p", { class: "panel-text" }, decided), classRows(classes, actions, mayChange)]);
  }

  function drawResolved({ resolved: conflicts, lists }) {
    // In a personal replica with the master key, the page's lists do not contain the objects of users.
    const objectOf = ({ className, objectId, space }) =>
      space === undefined ? lists.get(className)?.objects.find((object) => object.objectId === objectId) : undefined;
    const shown = conflicts
      .slice(0, resolvedShown)
      .map((item) => ({ item, key: entryKey(item), theirs: remoteValuesToRestore(item, objectOf(item)) }));
    resolvedAbout.hidden = shown.length === 0;
    if (shown.length === 0) shown.push({ key: "none" });
    if (conflicts.length > resolvedShown) shown.push({ key: "more", total: conflicts.length });
    reconcile(resolvedList, shown, {
      key: ({ key }) => key,
      stamp: ({ item, theirs, total }) => (item ? JSON.stringify([item, theirs, nameOf(item), agoText(item.resolvedAt)]) : total && `${resolvedShown} ${total}`),
      build({ item, theirs, total }) {
        if (item) return entries.resolvedEntry(item, theirs);
        return total === undefined ? el("p", { class: "panel-none" }, t("None.")) : moreResolved(total);
      },
    });
  }

  /** The line below the resolved conflicts. The page reads the latest `entriesMax` of them. */
  function moreResolved(total) {
    const words = `${numberText(total)}${total < entriesMax ? "" : "+"}`;
    const more = numberText(Math.min(resolvedStep, total - resolvedShown));
    const showMore = () => {
      resolvedShown += resolvedStep;
      state.redraw();
    };
    return el(
      "div",
      { class: "panel-pager" },
      el("span", {}, t("{count} of {total} are listed.", { count: numberText(resolvedShown), total: words })),
      button(t("List {more} more", { more }), showMore, { className: "button-small button-quiet", focus: "resolved more" }),
    );
  }

  return { showEntry };
}

/**
 * The entries of a list and their number. The number is that of the sync status, as in the status line. The status can be newer
 * than the entries.
 */
function countOf({ key, items }, status) {
  const total = Number(status[key] ?? items.length);
  if (Number.isNaN(total)) return { items, total: items.length };
  return total === 0 ? { items: [], total } : { items, total: Math.max(items.length, total) };
}

function drawHistory(node, { history, status }) {
  fillWhenChanged(node.firstElementChild, "title", () => t("Last syncs"));
  const stamp = JSON.stringify([history, history.syncs.length > 0 && agoText(history.syncs.at(-1).at)]);
  fillWhenChanged(node.lastElementChild, stamp, () => historyView(history, status));
}

function drawRemote(node, { remote, lastSyncAt, lastError, nextSyncAt, pushPaused, lastSummary }) {
  const rows = [
    [t("Address"), remote?.url ?? "none"],
    [t("Application"), remote?.applicationId ?? "none"],
    [t("Last sync"), lastSyncAt ? formatMoment(lastSyncAt) : "never"],
    lastError && [t("Last error"), lastError.message],
    lastError && nextSyncAt && [t("Next attempt"), formatMoment(nextSyncAt)],
    pushPaused && [t("Sending paused"), withFullStop(pushPaused.reason)],
    ...(lastSummary?.warnings ?? []).map((warning) => [t("Warning"), withFullStop(warning)]),
  ].filter(Boolean);
  fillWhenChanged(node.firstElementChild, "title", () => t("Remote"));
  fillWhenChanged(node.lastElementChild, JSON.stringify(rows), () => descriptionList(rows));
}
