// The comparison of the sides of a conflict, field by field.

import { conflictText } from "./conflict-text.js";
import { el } from "./dom.js";
import { ownValue } from "./records.js";
import { isEqual, userFields, valueNode, valueText } from "./values.js";

/**
 * The maximum length, in characters, of each of two values that are shown side by side. For three values, the maximum of each is
 * half of this number. If a value is longer, all values of the field are shown below each other.
 */
const besideMax = 60;

/** The fields that a conflict lists, by name. If it lists no fields, all fields whose values differ between the sides. */
export function differingFields(conflict) {
  if (conflict.fields?.length) return conflict.fields;
  const sides = sidesOf(conflict);
  const names = new Set(sides.flatMap(({ fields }) => Object.keys(fields)));
  return [...names].filter((name) => isDiffering(sides, name));
}

/** The sides of a conflict with their field values, as [{label, fields}]. */
function sidesOf(conflict) {
  return conflictText(conflict).sides.map(([label, side]) => ({ label, fields: userFields(conflict[side] ?? {}) }));
}

function isDiffering([first, ...others], name) {
  return others.some(({ fields }) => !isEqual(ownValue(first.fields, name), ownValue(fields, name)));
}

/** Builds the comparison of the conflicting fields; null if the conflict has no sides to compare. */
export function comparison(conflict) {
  const sides = sidesOf(conflict);
  if (sides.length === 0) return null;
  const { showsEqual = false } = conflictText(conflict);
  return differingFields(conflict)
    .filter((name) => showsEqual || isDiffering(sides, name))
    .map((name) => {
      const isLong = sides.some(({ fields }) => valueText(ownValue(fields, name)).length > besideMax / (sides.length - 1));
      return el(
        "div",
        { class: isLong ? "compare compare-long" : "compare" },
        el("p", { class: "compare-field" }, name),
        el("dl", {}, sides.map(({ label, fields }) => comparedSide(label, ownValue(fields, name)))),
      );
    });
}

function comparedSide(label, value) {
  return el("div", { class: "compare-side" }, el("dt", {}, label), el("dd", {}, valueNode(value)));
}

/**
 * The fields of an update that replaces the local values by the remote's, after a conflict of the kind `fields` was resolved with
 * the local values. Null for any other conflict, for an unknown object, and for an object that already has the remote's values.
 *
 * @param object the current object; undefined if unknown
 */
export function remoteValuesToRestore({ kind, resolution, remote, fields }, object) {
  if (kind !== "fields" || resolution !== "local" || !remote || !object) return null;
  const differing = fields.filter((name) => !isEqual(ownValue(object, name), ownValue(remote, name)));
  if (differing.length === 0) return null;
  return Object.fromEntries(differing.map((name) => [name, ownValue(remote, name) ?? { __op: "Delete" }]));
}
