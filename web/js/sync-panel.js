// The details panel: conflicts, rejected and pending changes, held removals, the sync history, the remote and the classes.

import { entryKey, withAuthor } from "./authors.js";
import { countLabel, iconButton } from "./buttons.js";
import { classRows } from "./class-rows.js";
import { remoteValuesToRestore } from "./conflict-view.js";
import { agoText, formatMoment } from "./dates.js";
import { el, fillWhenChanged, reconcile } from "./dom.js";
import { historyView } from "./history-view.js";
import { createEntries } from "./panel-entries.js";
import { stallKey } from "./stall-text.js";
import { mayOperate } from "./users.js";
import { isReplica, withFullStop } from "./sync-text.js";
import { descriptionList } from "./description-list.js";
import { counted } from "./values.js";
import { pendingReason } from "./pending-reason.js";

/** The maximum number of entries in a list of the panel. The last line counts the further entries. */
const listedMax = 50;
/** The maximum number of resolved conflicts that the panel shows. */
const resolvedMax = 20;

export function showSyncPanel(container, { state, actions, names, close, showResolved }) {
  const { nameOf, namesOf, ...entries } = createEntries(actions, names);
  const sections = el("div", { class: "panel-sections" });
  const resolvedList = el("div", { class: "panel-list" });
  const resolved = el(
    "details",
    { class: "panel-section panel-resolved", on: { toggle: () => showResolved(resolved.open) } },
    el("summary", { class: "panel-subtitle" }, "Resolved conflicts"),
    resolvedList,
  );
  container.append(
    el(
      "header",
      { class: "panel-head" },
      el("h2", { class: "panel-title" }, "Sync details"),
      iconButton("Close details", "close", close),
    ),
    sections,
    resolved,
  );

  state.show((values) => {
    container.hidden = !(values.panelOpen && isReplica(values));
    if (container.hidden) return;
    const stalled = (values.status.stalled?.entries ?? []).map((entry) => ({ ...withAuthor(entry, values.users ?? []), id: stallKey(entry) }));
    const lists = [
      { key: "stalled", title: "Stalled", items: stalled, entry: entries.stallEntry },
      { key: "conflicts", title: "Conflicts", items: values.conflicts, entry: entries.conflictEntry },
      { key: "rejections", title: "Rejected", items: values.rejections, entry: entries.rejectionEntry },
      { key: "removals", title: "Held back", items: values.removals, entry: (item) => entries.removalEntry(item, mayOperate(values)) },
      { key: "pending", title: "Pending", items: values.pending.map((change) => withReason(change, values)), entry: entries.pendingEntry },
    ].filter(({ key, items }) => items.length > 0 || key === "pending");
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
          el("div", { class: "panel-list" }),
        ),
      update: (node, section) => (section.draw ? section.draw(node) : drawList(node, section)),
    });
    if (values.resolvedOpen) drawResolved(values);
  });

  function withReason(change, values) {
    return { ...change, reason: pendingReason(change, values, names) };
  }

  function drawList(node, { title, items, entry }) {
    const total = items.length;
    fillWhenChanged(node.firstElementChild, `${total}`, () => [title, total > 0 && countLabel(total)]);
    const shown = items.slice(0, listedMax).map((item) => ({ item, key: entryKey(item) }));
    if (total > listedMax) shown.push({ key: "more", words: `and ${counted(total - listedMax, "more change")}` });
    if (total === 0) shown.push({ key: "none", words: "No pending changes." });
    reconcile(node.lastElementChild, shown, {
      key: ({ key }) => key,
      stamp: ({ item, words }) => words ?? JSON.stringify([item, nameOf(item), item.objectIds && namesOf(item)]),
      build: ({ item, words }) => (item ? entry(item) : el("p", { class: "panel-none" }, words)),
    });
  }

  function drawClasses(node, { classes }, mayChange) {
    const button = () => iconButton("Sync another class", "plus", actions.addClass, { title: "Sync another class", focus: "add class" });
    fillWhenChanged(node.firstElementChild, `title ${mayChange}`, () => ["Classes", mayChange && button()]);
    const stamp = JSON.stringify([classes, mayChange]);
    fillWhenChanged(node.lastElementChild, stamp, () => classRows(classes, actions, mayChange));
  }

  function drawResolved({ resolved: conflicts, lists }) {
    // In a personal replica with the master key, the page's lists do not contain the objects of users.
    const objectOf = ({ className, objectId, space }) =>
      space === undefined ? lists.get(className)?.objects.find((object) => object.objectId === objectId) : undefined;
    const shown = conflicts
      .slice(0, resolvedMax)
      .map((item) => ({ item, key: entryKey(item), theirs: remoteValuesToRestore(item, objectOf(item)) }));
    if (shown.length === 0) shown.push({ key: "none" });
    reconcile(resolvedList, shown, {
      key: ({ key }) => key,
      stamp: ({ item, theirs }) => item && JSON.stringify([item, theirs, nameOf(item), agoText(item.resolvedAt)]),
      build: ({ item, theirs }) =>
        item ? entries.resolvedEntry(item, theirs) : el("p", { class: "panel-none" }, "None."),
    });
  }
}

function drawHistory(node, { history, status }) {
  fillWhenChanged(node.firstElementChild, "title", () => "Last syncs");
  const stamp = JSON.stringify([history, history.syncs.length > 0 && agoText(history.syncs.at(-1).at)]);
  fillWhenChanged(node.lastElementChild, stamp, () => historyView(history, status));
}

function drawRemote(node, { remote, lastSyncAt, lastError, nextSyncAt, pushPaused, lastSummary }) {
  const rows = [
    ["Address", remote?.url ?? "none"],
    ["Application", remote?.applicationId ?? "none"],
    ["Last sync", lastSyncAt ? formatMoment(lastSyncAt) : "never"],
    lastError && ["Last error", lastError.message],
    lastError && nextSyncAt && ["Next attempt", formatMoment(nextSyncAt)],
    pushPaused && ["Sending paused", withFullStop(pushPaused.reason)],
    ...(lastSummary?.warnings ?? []).map((warning) => ["Warning", withFullStop(warning)]),
  ].filter(Boolean);
  fillWhenChanged(node.firstElementChild, "title", () => "Remote");
  fillWhenChanged(node.lastElementChild, JSON.stringify(rows), () => descriptionList(rows));
}
