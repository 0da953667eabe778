// What each side of a conflict holds.

import { conflictWords } from "./conflict-words.js";
import { el } from "./dom.js";
import { isEqual, userFields, valueNode, valueWords } from "./values.js";

/** Values with more letters than this stand below each other. */
const besideMax = 60;

/** The fields that a conflict is about: those that it names, else all in which its sides differ. */
export function differingFields(conflict) {
  if (conflict.fields?.length) return conflict.fields;
  const [one, other] = conflictWords(conflict).sides.map(([, side]) => userFields(conflict[side] ?? {}));
  return Object.keys({ ...one, ...other }).filter((name) => !isEqual(one[name], other[name]));
}

/** The fields in which the two sides differ, side by side. */
export function comparison(conflict) {
  const { sides } = conflictWords(conflict);
  if (sides.length === 0) return null;
  const [one, other] = sides.map(([, side]) => userFields(conflict[side] ?? {}));
  return differingFields(conflict)
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
