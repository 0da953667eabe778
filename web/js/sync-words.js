// The sync state in words. Pure: the bar, the panel and the badges all speak through it.

import { own } from "./named.js";
import { counted, hostOf } from "./values.js";

/** The gateway names this many of the objects that are too large. */
const skippedMax = 20;

const phases = {
  prove: "Asking what became of earlier changes",
  pull: "Fetching",
  files: "Sending files",
  push: "Sending your changes",
  relations: "Fetching members of relations",
  audit: "Comparing everything",
  sweep: "Looking for deletions",
};

const badges = {
  synced: { words: "Synced", icon: "check" },
  created: { words: "New, waiting", icon: "waiting" },
  updated: { words: "Edited, waiting", icon: "waiting" },
  deleted: { words: "Deletion waiting", icon: "waiting" },
  rejected: { words: "Refused", icon: "refused" },
  conflict: { words: "Conflict", icon: "conflict" },
  hidden: { words: "Not shown remotely", icon: "alert" },
};

/** How a row's badge reads; unknown states are shown by their name. */
export function badgeOf(state) {
  return own(badges, state) ?? { words: String(state), icon: "alert" };
}

export function isRunning({ status, refreshing }) {
  return refreshing || status?.state === "running";
}

export function isReplica({ status }) {
  return status?.mode === "replica";
}

/** What needs a person: refused changes, conflicts and removals that are held back. */
export function decisionsOpen(status) {
  return (status?.rejections ?? 0) + (status?.conflicts ?? 0) + (status?.removals ?? 0);
}

/**
 * Where things stand: {tide, icon, headline, sentence}. `tide` names the look: calm, running, waiting, decide, trouble,
 * offline, foreign, paused, lost, standalone.
 */
export function tideOf(values) {
  const { status, connection } = values;
  if (connection === "lost") {
    const words = "Is it still running? This page keeps trying. What you see may be old.";
    return tide("lost", "alert", "Tidegate does not answer", words);
  }
  if (status === null) return tide("calm", "waves", "Connecting", "");
  if (!isReplica(values)) {
    const words = "The objects live in this gateway. There is no remote to sync with.";
    return tide("standalone", "anchor", "Standalone", words);
  }
  const remote = hostOf(status.remote?.url);
  if (status.state === "paused") {
    return tide("paused", "anchor", "Working offline", waitingUntil(status, "you go back online"));
  }
  if (isRunning(values)) return tide("running", "waves", "Syncing", progressWords(status.progress) ?? `with ${remote}`);
  if (status.lastError?.kind === "foreign") {
    const words = `${withStop(status.lastError.message)} ${waitingUntil(status, "a Parse Server answers there")}`;
    return tide("foreign", "alert", `${remote} is no Parse Server`, words);
  }
  if (!status.online) {
    const words = `Go on working. ${waitingUntil(status, "it is back")}`;
    return tide("offline", "unplugged", `${remote} is out of reach`, words);
  }
  if (status.lastError) return tide("trouble", "alert", "The last sync failed", withStop(status.lastError.message));
  if (status.pushPaused) return tide("trouble", "alert", "Changes are not sent", withStop(status.pushPaused.reason));
  if (decisionsOpen(status) > 0) return tide("decide", "alert", decisionWords(status), waitingWords(status));
  const stopped = (status.classes ?? []).filter((entry) => entry.stopped).map(({ name }) => name);
  if (stopped.length > 0) {
    const words = `${stopped.join(", ")} ${stopped.length === 1 ? "is" : "are"} at a limit. The details tell why, and what to do.`;
    return tide("trouble", "alert", "Not everything is fetched", words);
  }
  if (status.pending > 0) return tide("waiting", "waiting", waitingWords(status), deferredWords(status));
  if (!status.lastSyncAt) return tide("calm", "waves", "Not synced yet", `with ${remote}`);
  return tide("calm", "waves", `In step with ${remote}`, "");
}

function tide(name, icon, headline, sentence) {
  return { tide: name, icon, headline, sentence };
}

function waitingUntil({ pending }, moment) {
  if (!pending) return `Nothing is waiting.`;
  return `${counted(pending, "change")} ${pending === 1 ? "waits" : "wait"} here until ${moment}.`;
}

function waitingWords({ pending }) {
  return pending ? `${counted(pending, "change")} waiting to be sent` : "";
}

/** What a sync left lying: what follows an unanswered request waits until that can no longer arrive. */
function deferredWords({ lastSummary }) {
  return lastSummary?.deferred ? "The last sync could not send everything yet. It is tried again soon." : "";
}

/** "1 change refused, 2 conflicts"; empty where nothing is to be decided. */
export function decisionWords({ rejections, conflicts, removals }) {
  const parts = [
    rejections && `${counted(rejections, "change")} refused`,
    conflicts && counted(conflicts, "conflict"),
    removals && `${counted(removals, "removal")} held back`,
  ].filter(Boolean);
  return parts.join(", ");
}

/** "Holiday is not fetched any further: 46 of its objects …"; the reason says what to do. */
export function stoppedWords({ name, stopped }) {
  return `${name} is not fetched any further: ${withStop(stopped.reason)}`;
}

/** "2 objects are too large to be fetched."; empty where none is. */
export function skippedWords({ skipped = [] }) {
  if (skipped.length === 0) return "";
  const count = skipped.length < skippedMax ? counted(skipped.length, "object") : `${skippedMax} or more objects`;
  return `${count} ${skipped.length === 1 ? "is" : "are"} too large to be fetched.`;
}

/** "Fetching Holiday, 40 of 120"; null where no progress is told. */
export function progressWords(progress) {
  if (!progress) return null;
  const phase = own(phases, progress.phase) ?? progress.phase;
  const amount = progress.total ? `${progress.done ?? 0} of ${progress.total}` : null;
  return [[phase, progress.class].filter(Boolean).join(" "), amount].filter(Boolean).join(", ");
}

/** What a sync did, from its summary; empty where nothing was new. */
export function figureWords({ pulled = 0, pushed = 0, removed = 0, ...other }) {
  const { rejections = 0, conflicts = 0, settled = 0, heldBack = 0 } = other;
  const parts = [
    pulled && `${pulled} fetched`,
    pushed && `${pushed} sent`,
    removed && `${removed} removed`,
    rejections && `${rejections} refused`,
    conflicts && counted(conflicts, "conflict"),
    settled && `${counted(settled, "conflict")} settled`,
    heldBack && `removal of ${counted(heldBack, "object")} held back`,
  ];
  return parts.filter(Boolean).join(", ");
}

/** The same as a sentence. */
export function summaryWords(summary) {
  const words = figureWords(summary);
  return words === "" ? "Synced. Nothing was new." : `Synced: ${words}.`;
}

export function withStop(text) {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
