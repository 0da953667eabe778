// Sorts objects as a list of the gateway does: by one field, and objects with equal values by their ids.

import { ownValue } from "../records.js";

/** @param order the name of the field, after a `-` for the descending order */
export function sortedBy(objects, order) {
  const isDescending = order.startsWith("-");
  const field = order.replace(/^-/, "");
  const compare = (one, other) => compared(keyOf(ownValue(one, field)), keyOf(ownValue(other, field))) * (isDescending ? -1 : 1);
  return objects.toSorted((one, other) => compare(one, other) || compared(one.objectId, other.objectId));
}

/** The sortable part of a value: null for an object without a value, which comes first. */
function keyOf(value) {
  if (value === undefined || value === null) return null;
  return value.__type === "Date" ? value.iso : value;
}

function compared(one, other) {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? -1 : 1;
  return one < other ? -1 : 1;
}
