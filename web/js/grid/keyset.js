// Reads a sorted list from one of its rows on. The gateway finds the row by the values of the sort field and of objectId, so that
// reading far down a long list needs no `skip`.

import { ownValue } from "../records.js";

/** The fields that each object has. */
const alwaysSet = ["objectId", "createdAt", "updatedAt"];

/** The order of the list with objectId last, so that rows with equal values keep their order. */
export function fullOrder(order) {
  return fieldOf(order) === "objectId" ? order : `${order},objectId`;
}

/** The order of the same list from its end. */
export function reversedOrder(order) {
  return fullOrder(order)
    .split(",")
    .map((part) => (part.startsWith("-") ? part.slice(1) : `-${part}`))
    .join(",");
}

/**
 * The condition for the rows after a row, or before it; null if the row's value cannot be compared. Rows without a value in the
 * sort field do not fulfil the condition.
 *
 * @param isBefore whether to read the rows before the row, in the reversed order
 */
export function keysetCondition(row, order, isBefore = false) {
  const field = fieldOf(order);
  const isDescending = order.startsWith("-") !== isBefore;
  const strictly = isDescending ? "$lt" : "$gt";
  if (field === "objectId") return { objectId: { [strictly]: row.objectId } };
  const value = comparable(field, ownValue(row, field));
  if (value === null) return null;
  return {
    [field]: { [isDescending ? "$lte" : "$gte"]: value },
    $or: [{ [field]: { [strictly]: value } }, { objectId: { [isBefore ? "$lt" : "$gt"]: row.objectId } }],
  };
}

/**
 * The conditions for all rows after a row, or before it, one for each part of the list, in the order of the list (or of the reversed list).
 * Rows without a value in the sort field are a part of their own: the first one of an ascending list, the last one of a descending one.
 * Null if the row's value cannot be compared.
 */
export function keysetConditions(row, order, isBefore = false) {
  const field = fieldOf(order);
  const isDescending = order.startsWith("-") !== isBefore;
  const isEmpty = (ownValue(row, field) ?? null) === null;
  if (isEmpty) {
    const same = { [field]: null, objectId: { [isBefore ? "$lt" : "$gt"]: row.objectId } };
    return isDescending ? [same] : [same, { [field]: { $ne: null } }];
  }
  const condition = keysetCondition(row, order, isBefore);
  if (condition === null) return null;
  return isDescending && !alwaysSet.includes(field) ? [condition, { [field]: null }] : [condition];
}

function fieldOf(order) {
  return order.replace(/^-/, "");
}

/** The value as a query compares it: a text, a number or a date. Null for any other value. */
function comparable(field, value) {
  if (field === "createdAt" || field === "updatedAt") return { __type: "Date", iso: value };
  if (typeof value === "string" || typeof value === "number" || value?.__type === "Date") return value;
  return null;
}
