// The details: what needs a decision, what waits to be sent, and what is known of the remote.

import { button, countMark, iconButton, unseen } from "./buttons.js";
import { classRows } from "./class-rows.js";
import { comparison, theirFields } from "./conflict-view.js";
import { conflictWords, settledAs } from "./conflict-words.js";
import { agoWords, momentWords } from "./dates.js";
import { el, fillWhenChanged, reconcile } from "./dom.js";
import { historyView } from "./history-view.js";
import { isReplica, withStop } from "./sync-words.js";
import { counted, userFields, valueNode } from "./values.js";

/** More waiting changes than this are counted, not listed. */
const listedMax = 50;
/** Of a removal that is held back, as many objects are named. */
const namedMax = 12;
/** Settled conflicts are only a reminder: the last few will do. */
const settledMax = 20;
const kindWords = { create: "New", update: "Edited", delete: "Deleted" };

export function showSyncPanel(container, { state, actions, names, close, showSettled }) {
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
      { key: "conflicts", title: "Conflicts", items: values.conflicts, entry: conflictEntry },
      { key: "rejections", title: "Refused", items: values.rejections, entry: rejectionEntry },
      { key: "removals", title: "Held back", items: values.removals, entry: removalEntry },
      { key: "pending", title: "Waiting", items: values.pending, entry: pendingEntry },
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
      lists[className]?.objects.find((object) => object.objectId === objectId);
    const shown = conflicts
      .slice(0, settledMax)
      .map((item) => ({ item, key: item.id, theirs: theirFields(item, objectOf(item)) }));
    if (shown.length === 0) shown.push({ key: "none" });
    reconcile(settledList, shown, {
      key: ({ key }) => key,
      stamp: ({ item, theirs }) => item && JSON.stringify([item, theirs, nameOf(item), agoWords(item.resolvedAt)]),
      build: ({ item, theirs }) =>
        item ? settledEntry(item, theirs) : el("p", { class: "panel-none" }, "There are none."),
    });
  }

  function nameOf({ className, objectId }) {
    return objectId ? names.of(className, objectId) : className;
  }

  function namesOf({ className, objectIds }) {
    const shown = objectIds.slice(0, namedMax).map((objectId) => names.of(className, objectId));
    const rest = objectIds.length - shown.length;
    return `${shown.join(", ")}${rest > 0 ? ` and ${counted(rest, "other")}` : ""}.`;
  }

  function itemFrame(item, kind, content, buttons) {
    return el(
      "article",
      { class: "panel-item", tabindex: "-1", data: { object: `${item.className}/${item.objectId}` } },
      el("p", { class: "panel-kind" }, [kind, item.className].filter(Boolean).join(" · ")),
      item.objectId && el("h4", { class: "panel-name" }, nameOf(item)),
      content,
      buttons && el("div", { class: "panel-actions" }, buttons),
    );
  }

  function choice(label, item, run, look = "") {
    const words = [label, unseen(` (${nameOf(item)})`)];
    return button(words, run, { look: `button-small ${look}`, focus: `${label} ${item.id}` });
  }

  function pendingEntry(change) {
    const fields = change.kind === "delete" ? [] : (change.fields ?? []);
    return itemFrame(
      change,
      kindWords[change.kind] ?? change.kind,
      [
        fields.length > 0 && el("p", { class: "panel-fields" }, fields.join(", ")),
        change.error && el("p", { class: "panel-reason" }, attemptWords(change)),
      ],
      // What is on its way can no longer be taken back.
      change.phase === "pending" && [choice("Undo", change, () => actions.undo(change))],
    );
  }

  function rejectionEntry(rejection) {
    const code = rejection.code !== undefined && el("span", { class: "panel-code" }, ` Code ${rejection.code}`);
    return itemFrame(
      rejection,
      kindWords[rejection.kind] ?? rejection.kind,
      [el("p", { class: "panel-reason" }, withStop(rejection.error), code), operationList(rejection.operations)],
      [
        choice("Send again", rejection, () => actions.retry(rejection)),
        rejection.kind !== "delete" && choice("Correct", rejection, () => actions.correct(rejection)),
        choice("Give up", rejection, () => actions.giveUp(rejection), "button-danger-quiet"),
      ],
    );
  }

  function conflictEntry(conflict) {
    const { title, text, choices, byField } = conflictWords(conflict);
    return itemFrame(
      conflict,
      title,
      [text && el("p", { class: "panel-text" }, text), comparison(conflict)],
      [
        choices.map((option) => {
          const look = option.isDanger ? "button-danger-quiet" : "";
          return choice(option.label, conflict, () => actions.resolve(conflict, option), look);
        }),
        byField && choice("Field by field", conflict, () => actions.decideByField(conflict), "button-quiet"),
      ],
    );
  }

  function settledEntry(conflict, theirs) {
    const words = `${settledAs(conflict)}, ${agoWords(conflict.resolvedAt)}.`;
    return itemFrame(
      conflict,
      conflictWords(conflict).title,
      [el("p", { class: "panel-text" }, words), conflict.kind === "fields" && comparison(conflict)],
      theirs && [choice("Use theirs", conflict, () => actions.useTheirs(conflict, theirs))],
    );
  }

  function removalEntry(removal) {
    const gone = `${removal.objects} of ${removal.of} objects are gone from the remote.`;
    const words = `${gone} That can mean that it was reset, so nothing was removed here.`;
    const text = (words) => el("p", { class: "panel-text" }, words);
    return itemFrame(removal, "", [text(words), text(namesOf(removal))], [
      choice("Keep them", removal, () => actions.keepRemoval(removal)),
      choice("Remove them here", removal, () => actions.confirmRemoval(removal), "button-danger-quiet"),
    ]);
  }
}

function attemptWords({ attempts, error }) {
  const tried = attempts > 0 ? `Tried ${counted(attempts, "time")}. ` : "";
  return tried + withStop(error);
}

/** What the refused change wanted to set. */
function operationList(operations) {
  const entries = Object.entries(userFields(operations ?? {}));
  const words = (operation) => (operation?.__op === "Delete" ? "taken away" : operation?.__op);
  return entries.length > 0 && termList(entries.map(([name, value]) => [name, words(value) ?? valueNode(value)]));
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

function termList(rows) {
  const row = ([term, value]) => el("div", {}, el("dt", {}, term), el("dd", {}, value));
  return el("dl", { class: "panel-values" }, rows.map(row));
}
