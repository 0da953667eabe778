// The texts about conflicts: title, explanation and choices for each kind of conflict.

import { wordsFor } from "./authors.js";
import { ownValue } from "./records.js";

/** @param words the words for the owner of the local version, as `wordsFor` returns them */
const kindsFor = ({ your, Your, mine, Mine, Yours, theirs, Theirs, Their }) => ({
  fields: {
    title: "Edited on both sides",
    sides: [[Mine, "local"], [Theirs, "remote"]],
    byField: { keep: "local", sides: [["Before", "base"], [Mine, "local"], [Theirs, "remote"]] },
    choices: [
      { label: `Keep ${mine}`, keep: "local", done: `${Your} version is kept.` },
      { label: `Keep ${theirs}`, keep: "remote", done: "The remote's version is kept." },
    ],
  },
  deletedRemotely: {
    title: "Edited here, deleted on the remote",
    sides: [["Before", "base"], [`${Your} edit`, "local"]],
    byField: { keep: "local", sides: [["Before", "base"], [`${Your} edit`, "local"]] },
    choices: [
      { label: "Keep it", keep: "local", done: "Kept. It will be created again on the remote." },
      { label: "Delete here too", keep: "remote", done: "Deleted.", isDanger: true },
    ],
  },
  deletedLocally: {
    title: "Deleted here, edited on the remote",
    sides: [["Before", "base"], [`${Their} edit`, "remote"]],
    byField: { keep: "remote", sides: [["Before", "base"], [`${Their} edit`, "remote"]] },
    choices: [
      { label: "Keep it", keep: "remote", done: "Kept, with the remote's edit." },
      { label: "Delete there too", keep: "local", done: "It will be deleted on the remote too.", isDanger: true },
    ],
  },
  wasThisApplied: {
    title: "Was this applied?",
    text:
      `The remote's answer to ${your} change was lost. Tidegate cannot tell whether the remote applied the change. ` +
      "If it did, sending it again applies it twice.",
    sides: [["Before", "base"], [`With ${your} change`, "local"], ["On the remote", "remote"]],
    showsEqual: true,
    choices: [
      { label: "It was applied", keep: "applied", done: "Marked as applied." },
      { label: "Send it again", keep: "sendAgain", done: "It will be sent again." },
    ],
  },
  ambiguousCreate: {
    title: "Was this added?",
    text:
      `The remote's answer to ${your} new object was lost. The remote has an object that may be the same one. ` +
      "Until you decide, this page shows only one of them.",
    sides: [[Yours, "local"], ["On the remote", "remote"]],
    showsEqual: true,
    choices: [
      { label: "It is the same", keep: "applied", done: `The remote's object is shown, with ${your} later changes.` },
      { label: "It is a different one", keep: "sendAgain", done: `${Yours} will be sent again, after one more check.` },
    ],
  },
});

const resolutionsFor = ({ Your }) => ({
  local: `${Your} version was kept`,
  remote: "The remote's version was kept",
  merge: "Both versions were merged",
  applied: `${Your} change was marked as applied`,
  sendAgain: `${Your} change was sent again`,
  object: "Other values were chosen",
  superseded: "A later change replaced it",
});

/**
 * The texts about a conflict, for its kind and author.
 * `sides`: the versions of the object to compare, as [[label, side]]; `side` is "base", "local" or "remote".
 * `showsEqual`: whether the comparison of the sides also lists fields with equal values.
 * `byField`: {keep, sides} for the dialog that resolves the conflict field by field: the preselected side, and the sides to
 * choose from. Absent if the conflict cannot be resolved field by field.
 * `choices`: [{label, keep, done, isDanger}], with a button's label, the decision, and the notice after the decision.
 */
export function conflictText(conflict) {
  const kinds = kindsFor(wordsFor(conflict));
  return ownValue(kinds, conflict.kind) ?? kinds.fields;
}

/** How a conflict was resolved, as text. */
export function resolutionText(conflict) {
  return ownValue(resolutionsFor(wordsFor(conflict)), conflict.resolution) ?? `Resolved: ${conflict.resolution}`;
}
