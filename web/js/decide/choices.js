// The decisions that the user can make about many conflicts, rejected changes or held removals at once.

import { conflictText } from "../conflict-text.js";
import { counted, plural, t } from "../texts.js";

/** The kinds of conflicts that have two sides. The other kinds ask whether the remote has received a change. */
const sided = ["fields", "deletedRemotely", "deletedLocally"];
const removalReasons = {
  tooMany: t("Many objects are missing on the remote"),
  restoredBackup: t("The remote seems to be restored from a backup"),
  neverShown: t("The remote has never shown new objects"),
};
/** The texts about the entries of each list: their number, the title while they are decided, and the sentence if none is chosen. */
export const entryTexts = {
  conflicts: {
    counted: (count) => counted(count, "conflict"),
    deciding: t("Deciding conflicts"),
    none: t("No conflict is of this class and reason."),
  },
  rejections: {
    counted: (count) => counted(count, "rejected change"),
    deciding: t("Deciding rejected changes"),
    none: t("No rejected change is of this class and reason."),
  },
  removals: {
    counted: (count) => counted(count, "held removal"),
    deciding: t("Deciding held removals"),
    none: t("No held removal is of this class and reason."),
  },
};

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
 * The decisions about entries of a list: [{id, label, yes, keep, entries, effects, done}]. `yes(count)` is the label of the
 * button that decides. `entries` are those that the decision concerns.
 * `effects` are sentences about its consequences, and `done(count)` is the notice after it.
 */
export function choicesFor(list, entries) {
  return { conflicts: ofConflicts, rejections: ofRejections, removals: ofRemovals }[list](entries).filter((choice) => choice.entries.length > 0);
}

const sentAgain = (count) => plural("{count} change will be sent again", "{count} changes will be sent again", { count });
const getsRemoteValues = (count) => plural("{count} object will get the remote's values.", "{count} objects will get the remote's values.", { count });

function ofConflicts(entries) {
  const of = (kind) => entries.filter((entry) => entry.kind === kind);
  const two = entries.filter(({ kind }) => sided.includes(kind));
  const asked = entries.filter(({ kind }) => !sided.includes(kind));
  const effect = (kind, textFor) => of(kind).length > 0 && textFor(of(kind).length);
  const sides = [
    {
      id: "mine",
      label: t("Keep mine"),
      yes: (count) => t("Keep mine for {count}", { count }),
      keep: "local",
      entries: two,
      effects: [
        effect("fields", (count) => plural("{count} object will get your values on the remote.", "{count} objects will get your values on the remote.", { count })),
        effect("deletedRemotely", (count) => plural("{count} object will be created again on the remote.", "{count} objects will be created again on the remote.", { count })),
        effect("deletedLocally", (count) => plural("{count} object will be deleted on the remote too.", "{count} objects will be deleted on the remote too.", { count })),
      ],
      done: (count) => t("Your version is kept in {conflicts}", { conflicts: counted(count, "conflict") }),
    },
    {
      id: "theirs",
      label: t("Keep theirs"),
      yes: (count) => t("Keep theirs for {count}", { count }),
      keep: "remote",
      entries: two,
      effects: [
        effect("fields", getsRemoteValues),
        effect("deletedRemotely", (count) => plural("{count} object will be deleted here too.", "{count} objects will be deleted here too.", { count })),
        effect("deletedLocally", (count) =>
          plural("{count} object will be there again, with the remote's edit.", "{count} objects will be there again, with the remote's edit.", { count }),
        ),
      ],
      done: (count) => t("The remote's version is kept in {conflicts}", { conflicts: counted(count, "conflict") }),
    },
  ];
  // What happened to a request is not the same for all requests, so these decisions are offered only for a kind of its own.
  if (two.length > 0) return sides;
  return [
    {
      id: "applied",
      label: t("All were applied"),
      yes: (count) => t("All were applied for {count}", { count }),
      keep: "applied",
      entries: asked,
      effects: [plural("{count} change will not be sent again.", "{count} changes will not be sent again.", { count: asked.length })],
      done: (count) => t("{changes} marked as applied", { changes: counted(count, "change") }),
    },
    {
      id: "again",
      label: t("Send all again"),
      yes: (count) => t("Send all again for {count}", { count }),
      keep: "sendAgain",
      entries: asked,
      effects: [`${sentAgain(asked.length)}.`, t("A change that the remote has applied already is applied twice.")],
      done: sentAgain,
    },
  ];
}

function ofRejections(entries) {
  const creates = entries.filter(({ kind }) => kind === "create").length;
  const deletes = entries.filter(({ kind }) => kind === "delete").length;
  const updates = entries.length - creates - deletes;
  return [
    { id: "again", label: t("Keep mine: send again"), yes: (count) => t("Keep mine for {count}", { count }), entries, effects: [`${sentAgain(entries.length)}.`], done: sentAgain },
    {
      id: "discard",
      label: t("Keep theirs: discard"),
      yes: (count) => t("Keep theirs for {count}", { count }),
      entries,
      effects: [
        creates > 0 && plural("{count} new object will be deleted from this device.", "{count} new objects will be deleted from this device.", { count: creates }),
        updates > 0 && getsRemoteValues(updates),
        deletes > 0 && plural("{count} deleted object will be there again.", "{count} deleted objects will be there again.", { count: deletes }),
      ],
      done: (count) => t("{changes} discarded", { changes: counted(count, "rejected change") }),
    },
  ];
}

function ofRemovals(entries) {
  const objects = entries.reduce((sum, entry) => sum + entry.objects, 0);
  return [
    {
      id: "keep",
      label: t("Keep mine"),
      yes: (count) => t("Keep mine for {count}", { count }),
      entries,
      effects: [
        plural(
          "{count} object will stay here. Where needed, it is sent to the remote again.",
          "{count} objects will stay here. Where needed, they are sent to the remote again.",
          { count: objects },
        ),
      ],
      done: (count) => t("{removals} declined. The objects are kept", { removals: counted(count, "removal") }),
    },
    {
      id: "confirm",
      label: t("Keep theirs"),
      yes: (count) => t("Keep theirs for {count}", { count }),
      entries,
      effects: [
        plural(
          "{count} object will get the remote's state, or will be removed from this device. This cannot be undone.",
          "{count} objects will get the remote's state, or will be removed from this device. This cannot be undone.",
          { count: objects },
        ),
      ],
      done: (count) => t("{removals} confirmed", { removals: counted(count, "removal") }),
    },
  ];
}
