// The texts about sync states, for the status line, the details panel and the badges.

import { ownValue } from "./records.js";
import { stallHeadline, wayOut } from "./stall-text.js";
import { counted, hostOf } from "./values.js";

/** The maximum number of objects that the gateway lists for a class as too large to fetch. */
const skippedMax = 20;

const phases = {
  prove: "Checking earlier changes",
  pull: "Fetching",
  files: "Uploading files",
  push: "Sending your changes",
  relations: "Fetching relations",
  audit: "Comparing with the remote",
  sweep: "Checking for deletions",
};

const badges = {
  synced: { words: "Synced", icon: "check" },
  created: { words: "New, pending", icon: "pending" },
  updated: { words: "Edited, pending", icon: "pending" },
  deleted: { words: "Deleted, pending", icon: "pending" },
  rejected: { words: "Rejected", icon: "rejected" },
  conflict: { words: "Conflict", icon: "conflict" },
  hidden: { words: "Hidden by the remote", icon: "alert" },
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
  if (status.mode !== "replica") return "A Parse Server of its own. All objects are stored here.";
  const { pending = 0, remote } = status;
  const waiting = pending > 0 && `${counted(pending, "change")} ${pending === 1 ? "waits" : "wait"} to be sent.`;
  const decisions = openDecisions(status);
  const open = decisions > 0 && `${decisions} ${decisions === 1 ? "needs" : "need"} your decision.`;
  return [`An offline copy of ${hostOf(remote?.url)}.`, waiting, open].filter(Boolean).join(" ");
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
    const words = "Is it still running? This page keeps trying. What you see may be out of date.";
    return line("lost", "alert", "Tidegate is not responding", words);
  }
  if (status === null) return line("idle", "waves", "Connecting", "");
  if (!isReplica(values)) {
    const words = "All objects are stored in this gateway. It has no remote to sync with.";
    return line("standalone", "anchor", "Standalone", words);
  }
  const remote = hostOf(status.remote?.url);
  if (status.state === "paused") {
    return line("paused", "anchor", "Working offline", pendingUntil(status, "you go back online"));
  }
  if (isSyncing(values)) return line("syncing", "waves", "Syncing", progressText(status.progress) ?? `with ${remote}`);
  if (status.lastError?.kind === "foreign") {
    const words = `${withFullStop(status.lastError.message)} ${pendingUntil(status, "a Parse Server answers there")}`;
    return line("foreign", "alert", `${remote} is not a Parse Server`, words);
  }
  if (!status.online) {
    const words = `You can keep working. ${pendingUntil(status, "it is back")}`;
    return line("offline", "unplugged", `Cannot reach ${remote}`, words);
  }
  if (status.lastError) return line("error", "alert", "The last sync failed", withFullStop(status.lastError.message));
  if (status.pushPaused) return line("error", "alert", "Sending is paused", withFullStop(status.pushPaused.reason));
  if (status.stalled?.entries.length > 0) {
    const [first] = status.stalled.entries;
    return line("error", "alert", stallHeadline(status.stalled), `${first.text} ${wayOut(first)}`);
  }
  if (openDecisions(status) > 0) return line("decision", "alert", decisionText(status), pendingText(status));
  const stopped = (status.classes ?? []).filter((entry) => entry.stopped).map(({ name }) => name);
  if (stopped.length > 0) {
    const words = `${stopped.join(", ")} ${stopped.length === 1 ? "is" : "are"} at a limit. Sync details show the reason and what to do.`;
    return line("error", "alert", "Some objects are not fetched", words);
  }
  if (status.pending > 0) return line("pending", "pending", pendingText(status), deferredText(status));
  if (!status.lastSyncAt) return line("idle", "waves", "Not synced yet", `with ${remote}`);
  return line("idle", "waves", `Synced with ${remote}`, "");
}

function line(level, icon, headline, sentence) {
  return { level, icon, headline, sentence };
}

function pendingUntil({ pending }, moment) {
  if (!pending) return "No pending changes.";
  return `${counted(pending, "change")} ${pending === 1 ? "is" : "are"} pending until ${moment}.`;
}

function pendingText({ pending }) {
  return pending ? counted(pending, "pending change") : "";
}

/**
 * A sentence for the user if the last sync has left changes or files for a later sync; otherwise empty. For example, a change
 * waits while an earlier request without an answer may still reach the remote.
 */
function deferredText({ lastSummary }) {
  return lastSummary?.deferred ? "The last sync could not send everything. Tidegate tries again soon." : "";
}

/** The open decisions as text, such as "1 change rejected, 2 conflicts"; empty without decisions. */
export function decisionText({ rejections, conflicts, removals }) {
  const parts = [
    rejections && `${counted(rejections, "change")} rejected`,
    conflicts && counted(conflicts, "conflict"),
    removals && `${counted(removals, "removal")} held back`,
  ].filter(Boolean);
  return parts.join(", ");
}

/** The warning that fetching a class has stopped at a limit, with the gateway's reason. */
export function stoppedText({ name, stopped }) {
  return `Fetching ${name} has stopped: ${withFullStop(stopped.reason)}`;
}

/** The number of objects that are too large to fetch, as a sentence: "2 objects are too large to fetch."; empty for none. */
export function skippedText({ skipped = [] }) {
  if (skipped.length === 0) return "";
  const count = skipped.length < skippedMax ? counted(skipped.length, "object") : `${skippedMax} or more objects`;
  return `${count} ${skipped.length === 1 ? "is" : "are"} too large to fetch.`;
}

/** The progress of a sync as text, such as "Fetching Holiday, 40 of 120"; null without progress. */
export function progressText(progress) {
  if (!progress) return null;
  const phase = ownValue(phases, progress.phase) ?? progress.phase;
  const amount = progress.total ? `${progress.done ?? 0} of ${progress.total}` : null;
  return [[phase, progress.class].filter(Boolean).join(" "), amount].filter(Boolean).join(", ");
}

/** The results of a sync as text, such as "3 fetched, 1 sent"; empty if the sync changed nothing. */
export function resultText({ pulled = 0, pushed = 0, removed = 0, ...other }) {
  const { rejections = 0, conflicts = 0, settled = 0, heldBack = 0 } = other;
  const parts = [
    pulled && `${pulled} fetched`,
    pushed && `${pushed} sent`,
    removed && `${removed} removed`,
    rejections && `${rejections} rejected`,
    conflicts && counted(conflicts, "conflict"),
    settled && `${counted(settled, "conflict")} resolved`,
    heldBack && `removal of ${counted(heldBack, "object")} held back`,
  ];
  return parts.filter(Boolean).join(", ");
}

/** The results of a sync as a sentence. */
export function summaryText(summary) {
  const words = resultText(summary);
  return words === "" ? "Synced. Nothing new." : `Synced: ${words}.`;
}

/** Adds a full stop to a text, unless it ends with a punctuation mark. */
export function withFullStop(text) {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
