// The details: what needs a decision, what waits to be sent, and what is known of the remote.

import { countMark, iconButton } from "./buttons.js";
import { classRows } from "./class-rows.js";
import { theirFields } from "./conflict-view.js";
import { agoWords, momentWords } from "./dates.js";
import { el, fillWhenChanged, reconcile } from "./dom.js";
import { historyView } from "./history-view.js";
import { createEntries } from "./panel-entries.js";
import { isReplica, withStop } from "./sync-words.js";
import { termList } from "./term-list.js";
import { counted } from "./values.js";
import { waitingReason } from "./waiting-words.js";

/** More waiting changes than this are counted, not listed. */
const listedMax = 50;
/** Settled conflicts are only a reminder: the last few will do. */
const settledMax = 20;

export function showSyncPanel(container, { state, actions, names, close, showSettled }) {
  const { nameOf, namesOf, ...entries } = createEntries(actions, names);
  const sections = el("div", { class: "panel-sections" });
  const settledList = el("div", { class: "panel-list" });
  const settled = el(
    "details",
    { class: "panel-section panel-settled", on: { toggle: () => showSettled(settled.open) } },
    el("summary", { class: "panel-subtitle" }, "Settled conflicts"),
    settledList,
  );
  container.append(
    el(
      "header",
      { class: "panel-head" },
      el("h2", { class: "panel-title" }, "Sync details"),
      iconButton("Close details", "close", close),
    ),
    sections,
    settled,
  );

  state.show((values) => {
    container.hidden = !(values.panelOpen && isReplica(values));
    if (container.hidden) return;
    const lists = [
      { key: "conflicts", title: "Conflicts", items: values.conflicts, entry: entries.conflictEntry },
      { key: "rejections", title: "Refused", items: values.rejections, entry: entries.rejectionEntry },
      { key: "removals", title: "Held back", items: values.removals, entry: entries.removalEntry },
      { key: "pending", title: "Waiting", items: values.pending.map((change) => withReason(change, values)), entry: entries.pendingEntry },
    ].filter(({ key, items }) => items.length > 0 || key === "pending");
    const others = [
      { key: "history", draw: (node) => drawHistory(node, values) },
      { key: "remote", draw: (node) => drawRemote(node, values.status) },
      { key: "classes", draw: (node) => drawClasses(node, values.status) },
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
    if (values.settledOpen) drawSettled(values);
  });

  function withReason(change, values) {
    return { ...change, reason: waitingReason(change, values, names) };
  }

  function drawList(node, { title, items, entry }) {
    const total = items.length;
    fillWhenChanged(node.firstElementChild, `${total}`, () => [title, total > 0 && countMark(total)]);
    const shown = items.slice(0, listedMax).map((item) => ({ item, key: item.id }));
    if (total > listedMax) shown.push({ key: "more", words: `and ${counted(total - listedMax, "more change")}` });
    if (total === 0) shown.push({ key: "none", words: "Nothing is waiting to be sent." });
    reconcile(node.lastElementChild, shown, {
      key: ({ key }) => key,
      stamp: ({ item, words }) => words ?? JSON.stringify([item, nameOf(item), item.objectIds && namesOf(item)]),
      build: ({ item, words }) => (item ? entry(item) : el("p", { class: "panel-none" }, words)),
    });
  }

  function drawClasses(node, { classes }) {
    const button = () => iconButton("Keep one more class", "plus", actions.addClass, { title: "Keep one more class", focus: "add class" });
    fillWhenChanged(node.firstElementChild, "title", () => ["Classes", button()]);
    const stamp = JSON.stringify(classes);
    fillWhenChanged(node.lastElementChild, stamp, () => classRows(classes, actions));
  }

  function drawSettled({ settled: conflicts, lists }) {
    const objectOf = ({ className, objectId }) =>
      lists.get(className)?.objects.find((object) => object.objectId === objectId);
    const shown = conflicts
      .slice(0, settledMax)
      .map((item) => ({ item, key: item.id, theirs: theirFields(item, objectOf(item)) }));
    if (shown.length === 0) shown.push({ key: "none" });
    reconcile(settledList, shown, {
      key: ({ key }) => key,
      stamp: ({ item, theirs }) => item && JSON.stringify([item, theirs, nameOf(item), agoWords(item.resolvedAt)]),
      build: ({ item, theirs }) =>
        item ? entries.settledEntry(item, theirs) : el("p", { class: "panel-none" }, "There are none."),
    });
  }
}

function drawHistory(node, { history, status }) {
  fillWhenChanged(node.firstElementChild, "title", () => "Last syncs");
  const stamp = JSON.stringify([history, history.syncs.length > 0 && agoWords(history.syncs.at(-1).at)]);
  fillWhenChanged(node.lastElementChild, stamp, () => historyView(history, status));
}

function drawRemote(node, { remote, lastSyncAt, lastError, circuit, pushPaused, lastSummary }) {
  const rows = [
    ["Address", remote?.url ?? "none"],
    ["Application", remote?.applicationId ?? "none"],
    ["Last sync", lastSyncAt ? momentWords(lastSyncAt) : "never"],
    lastError && ["Last error", lastError.message],
    circuit?.retryAt && ["Asked again", momentWords(circuit.retryAt)],
    pushPaused && ["Nothing is sent", withStop(pushPaused.reason)],
    ...(lastSummary?.warnings ?? []).map((warning) => ["Warning", withStop(warning)]),
  ].filter(Boolean);
  fillWhenChanged(node.firstElementChild, "title", () => "Remote");
  fillWhenChanged(node.lastElementChild, JSON.stringify(rows), () => termList(rows));
}
