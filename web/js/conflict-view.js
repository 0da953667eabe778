// Conflicts in words: what happened, what each side holds, and what can be decided, by the kind of conflict.

import { el } from "./dom.js";
import { isEqual, userFields, valueNode, valueWords } from "./values.js";

/** Values with more letters than this stand below each other. */
const besideMax = 60;

const kinds = {
  fields: {
    title: "Edited on both sides",
    sides: [["Mine", "local"], ["Theirs", "remote"]],
    choices: [
      { label: "Keep mine", keep: "local", done: "Yours is kept." },
      { label: "Keep theirs", keep: "remote", done: "Theirs is kept." },
    ],
  },
  deletedRemotely: {
    title: "Edited here, deleted on the remote",
    sides: [["Before", "base"], ["Your edit", "local"]],
    choices: [
      { label: "Keep it", keep: "local", done: "It is kept, and made anew on the remote." },
      { label: "Delete it here too", keep: "remote", done: "Deleted.", isDanger: true },
    ],
  },
  deletedLocally: {
    title: "Deleted here, edited on the remote",
    sides: [["Before", "base"], ["Their edit", "remote"]],
    choices: [
      { label: "Keep it", keep: "remote", done: "It is kept, with their edit." },
      { label: "Delete it there too", keep: "local", done: "It is deleted on the remote as well.", isDanger: true },
    ],
  },
  wasThisApplied: {
    title: "Perhaps sent",
    text: "The connection broke while your change was under way. Nothing tells whether it arrived.",
    sides: [["Yours", "local"], ["On the remote", "remote"]],
    choices: [
      { label: "It arrived", keep: "applied", done: "It counts as sent." },
      { label: "Send it again", keep: "sendAgain", done: "It is sent again." },
    ],
  },
  ambiguousCreate: {
    title: "Perhaps added",
    text: "The connection broke while this was sent, and the remote has several objects that it could have become.",
    sides: [],
    choices: [
      { label: "It is there", keep: "applied", done: "What the remote has is shown." },
      { label: "Add it again", keep: "sendAgain", done: "It is sent again." },
    ],
  },
};

const settledWords = {
  local: "Yours was kept",
  remote: "Theirs was kept",
  merge: "Both were brought together",
  applied: "Your change counted as sent",
  sendAgain: "Your change was sent again",
  object: "Other values were set",
  superseded: "A later change settled it",
};

/** {title, text, choices: [{label, keep, done, isDanger}]} of a conflict. */
export function conflictWords({ kind }) {
  return kinds[kind] ?? kinds.fields;
}

/** How a conflict that is no longer open was settled. */
export function settledAs({ resolution }) {
  return settledWords[resolution] ?? `Settled: ${resolution}`;
}

/** The fields in which the two sides differ, side by side. */
export function comparison(conflict) {
  const { sides } = conflictWords(conflict);
  if (sides.length === 0) return null;
  const [one, other] = sides.map(([, side]) => userFields(conflict[side] ?? {}));
  const names = conflict.fields?.length ? conflict.fields : Object.keys({ ...one, ...other });
  return names
    .filter((name) => !isEqual(one[name], other[name]))
    .map((name) => {
      const isLong = [one[name], other[name]].some((value) => valueWords(value).length > besideMax);
      return el(
        "div",
        { class: isLong ? "compare compare-long" : "compare" },
        el("p", { class: "compare-field" }, name),
        el("dl", {}, comparedSide(sides[0][0], one[name]), comparedSide(sides[1][0], other[name])),
      );
    });
}

function comparedSide(label, value) {
  return el("div", { class: "compare-side" }, el("dt", {}, label), el("dd", {}, valueNode(value)));
}

/**
 * The change that gives an object the remote's values for the fields that were settled in favour of ours; null where
 * there is nothing to change.
 *
 * @param object the object as it is now, where it is known
 */
export function theirFields({ kind, resolution, remote, fields }, object) {
  if (kind !== "fields" || resolution !== "local" || !remote || !object) return null;
  const differing = fields.filter((name) => !isEqual(object[name], remote[name]));
  if (differing.length === 0) return null;
  return Object.fromEntries(differing.map((name) => [name, remote[name] ?? { __op: "Delete" }]));
}
