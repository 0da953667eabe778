// Conflicts in words: what happened, and what can be decided, by the kind of conflict.

import { own } from "./named.js";

const kinds = {
  fields: {
    title: "Edited on both sides",
    sides: [["Mine", "local"], ["Theirs", "remote"]],
    byField: { keep: "local", sides: [["Before", "base"], ["Mine", "local"], ["Theirs", "remote"]] },
    choices: [
      { label: "Keep mine", keep: "local", done: "Yours is kept." },
      { label: "Keep theirs", keep: "remote", done: "Theirs is kept." },
    ],
  },
  deletedRemotely: {
    title: "Edited here, deleted on the remote",
    sides: [["Before", "base"], ["Your edit", "local"]],
    byField: { keep: "local", sides: [["Before", "base"], ["Your edit", "local"]] },
    choices: [
      { label: "Keep it", keep: "local", done: "It is kept, and made anew on the remote." },
      { label: "Delete it here too", keep: "remote", done: "Deleted.", isDanger: true },
    ],
  },
  deletedLocally: {
    title: "Deleted here, edited on the remote",
    sides: [["Before", "base"], ["Their edit", "remote"]],
    byField: { keep: "remote", sides: [["Before", "base"], ["Their edit", "remote"]] },
    choices: [
      { label: "Keep it", keep: "remote", done: "It is kept, with their edit." },
      { label: "Delete it there too", keep: "local", done: "It is deleted on the remote as well.", isDanger: true },
    ],
  },
  wasThisApplied: {
    title: "Perhaps sent",
    text:
      "The remote did not answer while your change was under way, and nothing proves whether it was applied. " +
      "If it was, sending it again does it twice.",
    sides: [["Before", "base"], ["With your change", "local"], ["On the remote", "remote"]],
    showsEqual: true,
    choices: [
      { label: "It was applied", keep: "applied", done: "It counts as sent." },
      { label: "Send it again", keep: "sendAgain", done: "It is sent again." },
    ],
  },
  ambiguousCreate: {
    title: "Perhaps added",
    text:
      "The remote did not answer while this was sent. It has an object that this may have become, and nothing proves " +
      "whether it did. Until you decide, that object is not shown a second time.",
    sides: [["Yours", "local"], ["On the remote", "remote"]],
    showsEqual: true,
    choices: [
      { label: "It is the same", keep: "applied", done: "The remote's object is shown, with your later changes." },
      { label: "It is another one", keep: "sendAgain", done: "Yours is looked for once more, and sent again." },
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

/**
 * {title, text, sides: [[label, side]], showsEqual, byField, choices: [{label, keep, done, isDanger}]} of a conflict.
 * `showsEqual` is for questions of which equal sides are half the answer. `byField` says between which sides each field can
 * be decided, and which of them stands where nothing else was chosen; it is absent where there is nothing to choose from.
 */
export function conflictWords({ kind }) {
  return own(kinds, kind) ?? kinds.fields;
}

/** How a conflict that is no longer open was settled. */
export function settledAs({ resolution }) {
  return own(settledWords, resolution) ?? `Settled: ${resolution}`;
}
