// The texts about conflicts: title, explanation and choices for each kind of conflict.

import { wordsFor } from "./authors.js";
import { ownValue } from "./records.js";
import { t } from "./texts.js";

/** @param words the words for the owner of the local version, as `wordsFor` returns them */
const kindsFor = ({ your, Your, mine, Mine, Yours, theirs, Theirs, Their }) => ({
  fields: {
    title: t("Edited on both sides"),
    sides: [[Mine, "local"], [Theirs, "remote"]],
    byField: { keep: "local", sides: [[t("Before"), "base"], [Mine, "local"], [Theirs, "remote"]] },
    choices: [
      { label: t("Keep {mine}", { mine }), keep: "local", done: t("{Your} version is kept.", { Your }) },
      { label: t("Keep {theirs}", { theirs }), keep: "remote", done: t("The remote's version is kept.") },
    ],
  },
  deletedRemotely: {
    title: t("Edited here, deleted on the remote"),
    sides: [[t("Before"), "base"], [t("{Your} edit", { Your }), "local"]],
    byField: { keep: "local", sides: [[t("Before"), "base"], [t("{Your} edit", { Your }), "local"]] },
    choices: [
      { label: t("Keep it"), keep: "local", done: t("Kept. It will be created again on the remote.") },
      { label: t("Delete here too"), keep: "remote", done: t("Deleted."), isDanger: true },
    ],
  },
  deletedLocally: {
    title: t("Deleted here, edited on the remote"),
    sides: [[t("Before"), "base"], [t("{Their} edit", { Their }), "remote"]],
    byField: { keep: "remote", sides: [[t("Before"), "base"], [t("{Their} edit", { Their }), "remote"]] },
    choices: [
      { label: t("Keep it"), keep: "remote", done: t("Kept, with the remote's edit.") },
      { label: t("Delete there too"), keep: "local", done: t("It will be deleted on the remote too."), isDanger: true },
    ],
  },
  wasThisApplied: {
    title: t("Was this applied?"),
    text:
      t("The remote's answer to {your} change was lost. Tidegate cannot tell whether the remote applied the change.", { your }) +
      ` ${t("If it did, sending it again applies it twice.")}`,
    sides: [[t("Before"), "base"], [t("With {your} change", { your }), "local"], [t("On the remote"), "remote"]],
    showsEqual: true,
    choices: [
      { label: t("It was applied"), keep: "applied", done: t("Marked as applied.") },
      { label: t("Send it again"), keep: "sendAgain", done: t("It will be sent again.") },
    ],
  },
  ambiguousCreate: {
    title: t("Was this added?"),
    text:
      t("The remote's answer to {your} new object was lost. The remote has an object that may be the same one.", { your }) +
      ` ${t("Until you decide, this page shows only one of them.")}`,
    sides: [[Yours, "local"], [t("On the remote"), "remote"]],
    showsEqual: true,
    choices: [
      { label: t("It is the same"), keep: "applied", done: t("The remote's object is shown, with {your} later changes.", { your }) },
      { label: t("It is a different one"), keep: "sendAgain", done: t("{Yours} will be sent again, after one more check.", { Yours }) },
    ],
  },
});

const resolutionsFor = ({ Your }) => ({
  local: t("{Your} version was kept", { Your }),
  remote: t("The remote's version was kept"),
  merge: t("Both versions were merged"),
  applied: t("{Your} change was marked as applied", { Your }),
  sendAgain: t("{Your} change was sent again", { Your }),
  object: t("Other values were chosen"),
  superseded: t("A later change replaced it"),
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
  return ownValue(resolutionsFor(wordsFor(conflict)), conflict.resolution) ?? t("Resolved: {resolution}", { resolution: conflict.resolution });
}
