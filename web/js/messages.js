// What is shown where objects would be, when there are none to show: loading, empty, failed, the first sync, no match.

import { button } from "./buttons.js";
import { el } from "./dom.js";
import { isSearching } from "./gateway.js";
import { isReplica, progressWords, stoppedWords, withStop } from "./sync-words.js";
import { counted, isolated } from "./values.js";

/**
 * The message in place of the objects as {stamp, build}; null where there are objects to show.
 *
 * @param list {phase, objects, message} of the class that is shown
 * @param found the objects of it that match the search
 * @param does {retry, showAll, add, keep, addClass}: the actions of the message's button
 */
export function messageFor(values, list, found, { title, one, className }, does) {
  const words = title === className ? "objects" : title.toLowerCase();
  if (found.length > 0) return null;
  if (className === null && values.status !== null && values.connection !== "lost") return noClassMessage(values, does);
  if (values.connection === "lost" && list.objects.length === 0) {
    return message("lost", "Tidegate does not answer", "Start it again, and this page goes on by itself.");
  }
  if (list.phase === "loading" || isSearching(values, list)) return { stamp: "loading", build: skeleton };
  if (list.phase === "failed") {
    const retry = () => button("Try again", does.retry);
    return message(`failed ${list.message}`, `These ${words} cannot be shown`, list.message, retry);
  }
  if (list.objects.length > 0 || values.search.trim() !== "") {
    const showAll = () => button("Show all", does.showAll);
    const known = values.status?.classes?.find(({ name }) => name === className)?.objects;
    const searched = `Searched in ${counted(known ?? list.objects.length, one)}.`;
    return message(`search ${values.search}`, `Nothing matches “${isolated(values.search)}”`, searched, showAll);
  }
  const entry = values.status?.classes?.find(({ name }) => name === className);
  if (isReplica(values) && entry?.registered && !entry.initialSyncComplete) return firstSync(values.status, entry, words);
  const add = () => button(`Add the first ${one}`, does.add);
  const keep = () => button(`Keep ${className}`, does.keep);
  const kept = "What you add here is kept on this machine at once, online or not.";
  if (!isReplica(values)) return message(`empty ${className}`, `No ${words} yet`, kept, add);
  if (entry?.registered) return message(`none ${className}`, `No ${words} yet`, `The remote shows none of ${className} either. ${kept}`, add);
  return message(`foreign ${className}`, `No ${words} here`, `${className} is not fetched from the remote. ${kept}`, () => [keep(), add()]);
}

function noClassMessage(values, { addClass }) {
  const words = isReplica(values)
    ? ["No class is kept here yet", "Name a class of the remote: its objects are fetched, and can be read and changed offline.", "Keep a class"]
    : ["There are no objects yet", "A class comes into being with its first object.", "Name a class"];
  const [title, text, label] = words;
  return message(`no class ${title}`, title, text, () => button(label, addClass, { look: "button-primary" }));
}

function firstSync({ state, progress, lastError, remote }, entry, words) {
  if (state !== "running") {
    const later = `The ${words} come with the first sync. What you add now is kept and sent then.`;
    const why = lastError ? `${remote.url} was asked. ${withStop(lastError.message)}` : entry.stopped && stoppedWords(entry);
    return message(`first sync ahead ${why}`, "Nothing has been fetched yet", later, () => why && el("p", { class: "message-why" }, why));
  }
  const amount = progressWords(progress) ?? "Your objects are being fetched.";
  return message(`first sync ${amount}`, "The first sync is under way", amount, () => meter(progress));
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
  const label = "Progress of the first sync";
  return el("progress", { class: "meter", max: progress.total, value: progress.done ?? 0, "aria-label": label });
}

function skeleton() {
  const row = () => el("div", { class: "skeleton-row" }, el("span"), el("span"), el("span"));
  return el("div", { class: "skeleton" }, el("p", { class: "visually-hidden" }, "Loading"), row(), row(), row(), row());
}
