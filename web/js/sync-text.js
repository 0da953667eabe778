// The texts about sync states, for the status line, the details panel and the badges.

import { ownValue } from "./records.js";
import { stallHeadline, wayOut } from "./stall-text.js";
import { counted, numberText, plural, t } from "./texts.js";
import { hostOf } from "./values.js";

/** The maximum number of objects that the gateway lists for a class as too large to fetch. */
const skippedMax = 20;

const phases = {
  prove: t("Checking earlier changes"),
  pull: t("Fetching"),
  files: t("Uploading files"),
  push: t("Sending your changes"),
  relations: t("Fetching relations"),
  audit: t("Comparing with the remote"),
  sweep: t("Checking for deletions"),
};

const badges = {
  synced: { words: t("Synced"), icon: "check" },
  created: { words: t("New, pending"), icon: "pending" },
  updated: { words: t("Edited, pending"), icon: "pending" },
  deleted: { words: t("Deleted, pending"), icon: "pending" },
  rejected: { words: t("Rejected"), icon: "rejected" },
  conflict: { words: t("Conflict"), icon: "conflict" },
  hidden: { words: t("Hidden by the remote"), icon: "alert" },
};

/** The text and the icon of the badge for a sync state. An unknown state is shown by its name. */
export function badgeOf(state) {
  return ownValue(badges, state) ?? { words: String(state), icon: "alert" };
}

export function isSyncing({ status, refreshing }) {
  return refreshing || status?.state === "running";
}

export function isReplica({ status }) {
  return status?.mode === "replica";
}

/**
 * What the gateway is, in one line for a newcomer: "An offline copy of example.org. 3 changes wait." Empty while it is unknown.
 */
export function aboutText({ status }) {
  if (status === null || status === undefined) return "";
  if (status.mode !== "replica") return t("A Parse Server of its own. All objects are stored here.");
  const { pending = 0, remote } = status;
  const waiting = pending > 0 && plural("{count} change waits to be sent.", "{count} changes wait to be sent.", { count: pending });
  const decisions = openDecisions(status);
  const open = decisions > 0 && plural("{count} needs your decision.", "{count} need your decision.", { count: decisions });
  return [t("An offline copy of {host}.", { host: hostOf(remote?.url) }), waiting, open].filter(Boolean).join(" ");
}

/** The number of open decisions: rejected changes, conflicts and held removals. */
export function openDecisions(status) {
  return (status?.rejections ?? 0) + (status?.conflicts ?? 0) + (status?.removals ?? 0);
}

/**
 * The content of the status line: {level, icon, headline, sentence}. `level` selects the style: idle, syncing, pending, decision,
 * error, offline, foreign (the remote is not a Parse Server), paused, lost (no answer from the gateway) or standalone.
 */
export function statusLine(values) {
  const { status, connection } = values;
  if (connection === "lost") {
    const words = t("Is it still running? This page keeps trying. What you see may be out of date.");
    return line("lost", "alert", t("Tidegate is not responding"), words);
  }
  if (status === null) return line("idle", "waves", t("Connecting"), "");
  if (!isReplica(values)) {
    const words = t("All objects are stored in this gateway. It has no remote to sync with.");
    return line("standalone", "anchor", t("Standalone"), words);
  }
  const remote = hostOf(status.remote?.url);
  if (status.state === "paused") {
    return line("paused", "anchor", t("Working offline"), pendingUntil(status, (values) => plural("{count} change is pending until you go back online.", "{count} changes are pending until you go back online.", values)));
  }
  if (isSyncing(values)) return line("syncing", "waves", t("Syncing"), progressText(status.progress) ?? t("with {remote}", { remote }));
  if (status.lastError?.kind === "foreign") {
    const words = `${withFullStop(status.lastError.message)} ${pendingUntil(status, (values) => plural("{count} change is pending until a Parse Server answers there.", "{count} changes are pending until a Parse Server answers there.", values))}`;
    return line("foreign", "alert", t("{remote} is not a Parse Server", { remote }), words);
  }
  if (!status.online) {
    const words = `${t("You can keep working.")} ${pendingUntil(status, (values) => plural("{count} change is pending until it is back.", "{count} changes are pending until it is back.", values))}`;
    return line("offline", "unplugged", t("Cannot reach {remote}", { remote }), words);
  }
  if (status.lastError) return line("error", "alert", t("The last sync failed"), withFullStop(status.lastError.message));
  if (status.pushPaused) return line("error", "alert", t("Sending is paused"), withFullStop(status.pushPaused.reason));
  if (status.stalled?.entries.length > 0) {
    const [first] = status.stalled.entries;
    return line("error", "alert", stallHeadline(status.stalled), `${first.text} ${wayOut(first)}`);
  }
  if (openDecisions(status) > 0) return line("decision", "alert", decisionText(status), pendingText(status));
  const stopped = (status.classes ?? []).filter((entry) => entry.stopped).map(({ name }) => name);
  if (stopped.length > 0) {
    const words = plural(
      "{names} is at a limit. Sync details show the reason and what to do.",
      "{names} are at a limit. Sync details show the reason and what to do.",
      { count: stopped.length, names: stopped.join(", ") },
    );
    return line("error", "alert", t("Some objects are not fetched"), words);
  }
  if (status.pending > 0) return line("pending", "pending", pendingText(status), deferredText(status));
  if (!status.lastSyncAt) return line("idle", "waves", t("Not synced yet"), t("with {remote}", { remote }));
  return line("idle", "waves", t("Synced with {remote}", { remote }), "");
}

function line(level, icon, headline, sentence) {
  return { level, icon, headline, sentence };
}

/** @param textFor `({count})`: the sentence that says until when changes are pending */
function pendingUntil({ pending }, textFor) {
  return pending ? textFor({ count: pending }) : t("No pending changes.");
}

function pendingText({ pending }) {
  return pending ? counted(pending, "pending change") : "";
}

/**
 * A sentence for the user if the last sync has left changes or files for a later sync; otherwise empty. For example, a change
 * waits while an earlier request without an answer may still reach the remote.
 */
function deferredText({ lastSummary }) {
  return lastSummary?.deferred ? t("The last sync could not send everything. Tidegate tries again soon.") : "";
}

/** The open decisions as text, such as "1 change rejected, 2 conflicts"; empty without decisions. */
export function decisionText({ rejections, conflicts, removals }) {
  const parts = [
    rejections && t("{changes} rejected", { changes: counted(rejections, "change") }),
    conflicts && counted(conflicts, "conflict"),
    removals && t("{removals} held back", { removals: counted(removals, "removal") }),
  ].filter(Boolean);
  return parts.join(", ");
}

/** The warning that fetching a class has stopped at a limit, with the gateway's reason. */
export function stoppedText({ name, stopped }) {
  return t("Fetching {name} has stopped: {reason}", { name, reason: withFullStop(stopped.reason) });
}

/** The number of objects that are too large to fetch, as a sentence: "2 objects are too large to fetch."; empty for none. */
export function skippedText({ skipped = [] }) {
  if (skipped.length === 0) return "";
  const count = skipped.length;
  if (count >= skippedMax) return t("{count} or more objects are too large to fetch.", { count: skippedMax });
  return plural("{count} object is too large to fetch.", "{count} objects are too large to fetch.", { count });
}

/** The progress of a sync as text, such as "Fetching Holiday, 40 of 120"; null without progress. */
export function progressText(progress) {
  if (!progress) return null;
  const phase = ownValue(phases, progress.phase) ?? progress.phase;
  const amount = progress.total ? t("{done} of {total}", { done: numberText(progress.done ?? 0), total: numberText(progress.total) }) : null;
  return [[phase, progress.class].filter(Boolean).join(" "), amount].filter(Boolean).join(", ");
}

/** The results of a sync as text, such as "3 fetched, 1 sent"; empty if the sync changed nothing. */
export function resultText({ pulled = 0, pushed = 0, removed = 0, ...other }) {
  const { rejections = 0, conflicts = 0, settled = 0, heldBack = 0 } = other;
  const parts = [
    pulled && t("{count} fetched", { count: numberText(pulled) }),
    pushed && t("{count} sent", { count: numberText(pushed) }),
    removed && t("{count} removed", { count: numberText(removed) }),
    rejections && t("{count} rejected", { count: numberText(rejections) }),
    conflicts && counted(conflicts, "conflict"),
    settled && t("{conflicts} resolved", { conflicts: counted(settled, "conflict") }),
    heldBack && t("removal of {objects} held back", { objects: counted(heldBack, "object") }),
  ];
  return parts.filter(Boolean).join(", ");
}

/** The results of a sync as a sentence. */
export function summaryText(summary) {
  const words = resultText(summary);
  return words === "" ? t("Synced. Nothing new.") : t("Synced: {words}.", { words });
}

/** Adds a full stop to a text, unless it ends with a punctuation mark. */
export function withFullStop(text) {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
