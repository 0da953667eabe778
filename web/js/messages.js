// The messages in place of a list, for example while the list is loading, after an error, or if there are no objects.

import { button } from "./buttons.js";
import { isDeniedInClass } from "./class-rights.js";
import { el } from "./dom.js";
import { isFiltered, isSearching } from "./lists.js";
import { greetingMessage } from "./setup/greeting.js";
import { isReplica, progressText, stoppedText, withFullStop } from "./sync-text.js";
import { t } from "./texts.js";
import { excerpt, isolated } from "./values.js";
import { mayOperate } from "./users.js";

/** The maximum number of characters of a link's query that the page shows. */
const offerMax = 500;

/**
 * The message to show in place of the objects, as {stamp, build}; null if there are objects to show. `stamp` identifies the
 * message, and `build` creates its node.
 *
 * @param list the list of the shown class: {phase, objects, message}
 * @param found the objects that match the search text
 * @param handlers the actions of the message's buttons: {retry, showAll, add, keep, addClass, connect, loadSamples,
 *   answerOffer}, and `offerText(where)`, which returns a filter as a sentence
 */
export function messageFor(values, list, found, { one, many: words, counted: countedObjects, className }, handlers) {
  if (values.offered !== null && list.phase === "ready") return offerMessage(values.offered, words, handlers);
  if (found.length > 0) return null;
  if (className === null && values.status !== null && values.connection !== "lost") return noClassMessage(values, handlers);
  if (values.connection === "lost" && list.objects.length === 0) {
    return message("lost", t("Tidegate is not responding"), t("Start it again. This page then reconnects automatically."));
  }
  if (list.phase === "loading" || isSearching(values, list)) return { stamp: "loading", build: skeleton };
  if (list.phase === "stopped") {
    return message("stopped", t("Stopped"), t("You stopped this read."), () => button(t("Read again"), handlers.retry));
  }
  const entry = values.status?.classes?.find(({ name }) => name === className);
  const isUnfetched = isReplica(values) && entry?.registered && !entry.initialSyncComplete;
  // In a personal replica, the list of a class fails until the first sync of the class for the user is complete.
  if (list.phase === "failed" && isUnfetched) return firstSync(values.status, entry, words);
  if (list.phase === "failed") {
    const retry = () => button(t("Try again"), handlers.retry);
    return message(`failed ${list.message}`, t("These {words} cannot be shown", { words }), list.message, retry);
  }
  if (list.objects.length > 0 || values.search.trim() !== "" || isFiltered(values)) {
    const showAll = () => button(t("Show all"), handlers.showAll);
    const known = values.status?.classes?.find(({ name }) => name === className)?.objects;
    const searched = t("Searched {objects}.", { objects: countedObjects(known ?? list.objects.length) });
    if (values.search.trim() === "") return message("filter", t("No object matches the filter"), searched, showAll);
    return message(`search ${values.search}`, t("No matches for “{search}”", { search: isolated(values.search) }), searched, showAll);
  }
  if (isUnfetched) return firstSync(values.status, entry, words);
  const mayAdd = !isDeniedInClass(values, className, "create");
  const add = () => mayAdd && button(t("Add the first {one}", { one }), handlers.add);
  const keep = () => button(t("Sync {className}", { className }), handlers.keep);
  const kept = mayAdd ? t("What you add is saved on this device at once, online or offline.") : t("You may not add any.");
  if (!isReplica(values) && !entry) return message(`unknown ${className}`, t("There is no class {className}", { className }), `${t("Its first object creates it.")} ${kept}`, add);
  if (!isReplica(values)) return message(`empty ${className} ${mayAdd}`, t("No {words} yet", { words }), kept, add);
  if (entry?.registered) return message(`none ${className} ${mayAdd}`, t("No {words} yet", { words }), `${t("The remote shows no {className} objects either.", { className })} ${kept}`, add);
  return message(`foreign ${className} ${mayAdd}`, t("No {words} here", { words }), `${t("{className} is not synced with the remote.", { className })} ${kept}`, () => [mayOperate(values) && keep(), add()]);
}

/** Asks whether to run the query of a link. */
function offerMessage({ search, where }, words, { answerOffer, offerText }) {
  const parts = [search !== "" && t("Search: {text}", { text: isolated(search) }), where && t("Filter: {query}", { query: isolated(offerText(where)) })].filter(Boolean);
  const text = t("Another person or site may have made this link. Apply it if you expected it.");
  const title = search === "" ? t("This link has a filter") : where ? t("This link has a search and a filter") : t("This link has a search");
  return message(`offer ${parts.join()}`, title, text, () => [
    el("div", { class: "message-query" }, parts.map((part) => el("p", {}, excerpt(part, offerMax)))),
    button(t("Apply it"), () => answerOffer(true), { className: "button-primary" }),
    button(t("Show all {words}", { words }), () => answerOffer(false)),
  ]);
}

function noClassMessage(values, handlers) {
  const { addClass } = handlers;
  if (values.isNew) return greetingMessage(handlers);
  const words = isReplica(values)
    ? [t("No class is synced yet"), t("Choose a class of the remote. Its objects are fetched, and you can read and change them offline."), t("Sync a class")]
    : [t("No objects yet"), t("A class is created with its first object."), t("Open a class")];
  const [title, text, label] = words;
  return message(`no class ${title}`, title, text, () => mayOperate(values) && button(label, addClass, { className: "button-primary" }));
}

function firstSync({ state, progress, lastError, remote }, entry, words) {
  if (state !== "running") {
    const later = t("The first sync fetches the {words}. What you add now is saved and sent then.", { words });
    const why = lastError ? `${t("Tried {url}.", { url: remote.url })} ${withFullStop(lastError.message)}` : entry.stopped && stoppedText(entry);
    return message(`first sync ahead ${why}`, t("Nothing fetched yet"), later, () => why && el("p", { class: "message-why" }, why));
  }
  const amount = progressText(progress) ?? t("Fetching your objects.");
  return message(`first sync ${amount}`, t("First sync in progress"), amount, () => meter(progress));
}

function message(stamp, title, text, below = () => null) {
  return {
    stamp,
    build: () =>
      el(
        "div",
        { class: "message" },
        el("div", { class: "message-mark", "aria-hidden": "true" }),
        el("h2", { class: "message-title" }, title),
        el("p", {}, text),
        below(),
      ),
  };
}

function meter(progress) {
  if (!progress?.total) return null;
  const label = t("Progress of the first sync");
  return el("progress", { class: "meter", max: progress.total, value: progress.done ?? 0, "aria-label": label });
}

function skeleton() {
  const row = () => el("div", { class: "skeleton-row" }, el("span"), el("span"), el("span"));
  return el("div", { class: "skeleton" }, el("p", { class: "visually-hidden" }, t("Loading")), row(), row(), row(), row());
}
