// The decisions that the user can make about many conflicts, rejected changes or held removals at once.

import { conflictText } from "../conflict-text.js";
import { counted } from "../values.js";

/** The kinds of conflicts that have two sides. The other kinds ask whether the remote has received a change. */
const sided = ["fields", "deletedRemotely", "deletedLocally"];
const removalReasons = {
  tooMany: "Many objects are missing on the remote",
  restoredBackup: "The remote seems to be restored from a backup",
  neverShown: "The remote has never shown new objects",
};
export const nouns = { conflicts: "conflict", rejections: "rejected change", removals: "held removal" };

/** Why an entry waits for a decision, as text. */
export function reasonOf(list, entry) {
  if (list === "conflicts") return conflictText({ kind: entry.kind }).title;
  return list === "removals" ? (removalReasons[entry.reason] ?? entry.reason) : entry.error;
}

/** The numbers of entries by a text: [[text, count]], the greatest number first. */
export function groupsOf(entries, textOf) {
  const groups = Map.groupBy(entries, textOf);
  return [...groups].map(([text, some]) => [text, some.length]).sort(([, one], [, other]) => other - one);
}

/**
 * The decisions about entries of a list: [{id, label, keep, entries, effects, done}]. `entries` are those that the decision concerns.
 * `effects` are sentences about what it does besides, and `done(count)` tells what was done.
 */
export function choicesFor(list, entries) {
  return { conflicts: ofConflicts, rejections: ofRejections, removals: ofRemovals }[list](entries).filter((choice) => choice.entries.length > 0);
}

function ofConflicts(entries) {
  const of = (kind) => entries.filter((entry) => entry.kind === kind);
  const two = entries.filter(({ kind }) => sided.includes(kind));
  const asked = entries.filter(({ kind }) => !sided.includes(kind));
  const effect = (kind, words) => of(kind).length > 0 && `${counted(of(kind).length, "object")} ${words}`;
  const sides = [
    {
      id: "mine",
      label: "Keep mine",
      keep: "local",
      entries: two,
      effects: [effect("deletedRemotely", "will be created again on the remote."), effect("deletedLocally", "will be deleted on the remote too.")],
      done: (count) => `Your version is kept in ${counted(count, "conflict")}`,
    },
    {
      id: "theirs",
      label: "Keep theirs",
      keep: "remote",
      entries: two,
      effects: [effect("fields", "will get the remote's values."), effect("deletedRemotely", "will be deleted here too."), effect("deletedLocally", "will be there again, with the remote's edit.")],
      done: (count) => `The remote's version is kept in ${counted(count, "conflict")}`,
    },
  ];
  // What happened to a request is not the same for all requests, so these decisions are offered only for a kind of its own.
  if (two.length > 0) return sides;
  return [
    { id: "applied", label: "All were applied", keep: "applied", entries: asked, effects: [], done: (count) => `${counted(count, "change")} marked as applied` },
    {
      id: "again", label: "Send all again", keep: "sendAgain", entries: asked,
      effects: ["A change that the remote has applied already is applied twice."], done: (count) => `${counted(count, "change")} will be sent again`,
    },
  ];
}

function ofRejections(entries) {
  const creates = entries.filter(({ kind }) => kind === "create").length;
  return [
    { id: "again", label: "Keep mine: send again", entries, effects: [], done: (count) => `${counted(count, "change")} will be sent again` },
    {
      id: "discard",
      label: "Keep theirs: discard",
      entries,
      effects: [creates > 0 && `${counted(creates, "new object")} will be deleted from this device.`],
      done: (count) => `${counted(count, "rejected change")} discarded`,
    },
  ];
}

function ofRemovals(entries) {
  const objects = entries.reduce((sum, entry) => sum + entry.objects, 0);
  return [
    {
      id: "keep",
      label: "Keep mine",
      entries,
      effects: [`${counted(objects, "object")} will stay here. Where needed, they are sent to the remote again.`],
      done: (count) => `${counted(count, "removal")} declined. The objects are kept`,
    },
    {
      id: "confirm",
      label: "Keep theirs",
      entries,
      effects: [`${counted(objects, "object")} will get the remote's state, or will be removed from this device. This cannot be undone.`],
      done: (count) => `${counted(count, "removal")} confirmed`,
    },
  ];
}
