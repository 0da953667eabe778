// What each side of a conflict holds.

import { conflictWords } from "./conflict-words.js";
import { el } from "./dom.js";
import { own } from "./named.js";
import { isEqual, userFields, valueNode, valueWords } from "./values.js";

/** Values with more letters than this stand below each other. */
const besideMax = 60;

/** The fields that a conflict is about: those that it names, else all in which its sides differ. */
export function differingFields(conflict) {
  if (conflict.fields?.length) return conflict.fields;
  const sides = sidesOf(conflict);
  const names = new Set(sides.flatMap(({ fields }) => Object.keys(fields)));
  return [...names].filter((name) => isDiffering(sides, name));
}

/** The sides that are shown, as [{label, fields}]. */
function sidesOf(conflict) {
  return conflictWords(conflict).sides.map(([label, side]) => ({ label, fields: userFields(conflict[side] ?? {}) }));
}

function isDiffering([first, ...others], name) {
  return others.some(({ fields }) => !isEqual(own(first.fields, name), own(fields, name)));
}

/** The fields in which the sides differ, side by side. */
export function comparison(conflict) {
  const sides = sidesOf(conflict);
  if (sides.length === 0) return null;
  const { showsEqual = false } = conflictWords(conflict);
  return differingFields(conflict)
    .filter((name) => showsEqual || isDiffering(sides, name))
    .map((name) => {
      const isLong = sides.some(({ fields }) => valueWords(own(fields, name)).length > besideMax / (sides.length - 1));
      return el(
        "div",
        { class: isLong ? "compare compare-long" : "compare" },
        el("p", { class: "compare-field" }, name),
        el("dl", {}, sides.map(({ label, fields }) => comparedSide(label, own(fields, name)))),
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
  const differing = fields.filter((name) => !isEqual(own(object, name), own(remote, name)));
  if (differing.length === 0) return null;
  return Object.fromEntries(differing.map((name) => [name, own(remote, name) ?? { __op: "Delete" }]));
}
