// The undo of decisions. The gateway cannot reopen a decision. New changes give the objects the version that was not kept.

import { t } from "../texts.js";
import { creatable, stepOfDeletion, stepSentences } from "../bulk/undo-step.js";
import { ownValue } from "../records.js";
import { fieldChanges, isEqual, userFields } from "../values.js";

const notReopened = t("A decision cannot be reopened. New changes give the objects the other version:");
const notReopenedByField = t("A decision cannot be reopened. New changes give the objects your version:");

/**
 * The undo of decisions, for the bar that offers it; null if the page cannot undo them.
 *
 * @param choice the id of the decision, see `choices.js`; "byField" for values of both sides, or other ones
 * @param items [{entry, name}]: the decided entries with the names of their objects. After a decision by field, `entry.chosen` has the
 *   values that differ from the kept side
 */
export function undoOfDecisions(list, choice, items) {
  const stepOf = { "conflicts mine": afterMine, "conflicts theirs": afterTheirs, "conflicts byField": afterByField, "rejections discard": afterDiscard }[`${list} ${choice}`];
  // The page cannot read objects in the data of other users.
  const own = items.filter(({ entry }) => entry.space === undefined && entry.author === undefined);
  if (stepOf === undefined || own.length === 0) return null;
  const words = {
    withdraw: t("the deletions that wait to be sent are removed from the queue."),
    write: choice === "mine" ? t("a new change sets the remote's values.") : t("a new change sets your values again."),
    delete: t("deleted."),
  };
  return {
    items: own.map(({ entry, name }) => ({ className: entry.className, objectId: entry.objectId, name, entry })),
    keys: null,
    stepOf: ({ entry }, ...rest) => stepOf(entry, ...rest),
    lead: choice === "byField" ? notReopenedByField : notReopened,
    sentences: (steps) => stepSentences(steps, words),
  };
}

const leave = (reason) => ({ action: "leave", reason });
const tagOf = (object) => object._sync?.tag;

function afterTheirs(conflict, present) {
  const { kind, base, local, remote } = conflict;
  if (kind === "deletedRemotely") return present === undefined ? { action: "create", fields: creatable(local) } : leave(t("It exists again"));
  if (present === undefined) return leave(t("It was deleted"));
  if (kind === "deletedLocally") {
    return isEqual(userFields(present), userFields(remote)) ? { action: "delete", tag: tagOf(present) } : leave(t("It has changed since"));
  }
  const mine = fieldChanges(userFields(base ?? remote), userFields(local));
  const isTheirs = Object.keys(mine).every((name) => isEqual(ownValue(present, name), ownValue(remote, name)));
  return isTheirs ? { action: "write", fields: mine, tag: tagOf(present) } : leave(t("It has changed since"));
}

function afterMine(conflict, present, pending, isWhole) {
  const { kind, fields, local, remote } = conflict;
  if (kind === "deletedLocally") return stepOfDeletion({ object: remote, state: "synced" }, present, pending, isWhole);
  if (present === undefined) return leave(t("It was deleted"));
  if (kind === "deletedRemotely") return { action: "delete", tag: tagOf(present) };
  const isMine = fields.every((name) => isEqual(ownValue(present, name), ownValue(local, name)));
  if (!isMine) return leave(t("It has changed since"));
  const theirs = Object.fromEntries(fields.map((name) => [name, ownValue(remote, name) ?? { __op: "Delete" }]));
  return { action: "write", fields: theirs, tag: tagOf(present) };
}

/** The object gets the version that the page has shown before the decision: the local one. */
function afterByField({ kind, local, remote, chosen }, present) {
  if (present === undefined) return leave(t("It was deleted"));
  const isChosen = Object.entries(chosen).every(([name, value]) => isEqual(ownValue(present, name), value.__op === "Delete" ? undefined : value));
  if (!isChosen) return leave(t("It has changed since"));
  if (kind !== "deletedLocally") {
    const mine = Object.keys(chosen).map((name) => [name, ownValue(local, name) ?? { __op: "Delete" }]);
    return { action: "write", fields: Object.fromEntries(mine), tag: tagOf(present) };
  }
  const rest = (object) => Object.fromEntries(Object.entries(userFields(object)).filter(([name]) => !Object.hasOwn(chosen, name)));
  return isEqual(rest(present), rest(remote)) ? { action: "delete", tag: tagOf(present) } : leave(t("It has changed since"));
}

/** A discarded change is made again. The remote may refuse it again. */
function afterDiscard({ kind, operations }, present) {
  if (kind === "create") return { action: "create", fields: creatable(operations) };
  if (present === undefined) return leave(t("It was deleted"));
  return kind === "delete" ? { action: "delete", tag: tagOf(present) } : { action: "write", fields: userFields(operations), tag: tagOf(present) };
}
