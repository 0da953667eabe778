// The inputs for the values of conditions. An input has form fields, joins their values to the value of the condition, and splits
// this value again.

import { spanUnits } from "./date-operators.js";
import { date, periodNames } from "./periods.js";

const required = (name, label, kind, more) => ({ name, label, kind, required: true, ...more });
const asOptions = (names) => names.map((name) => [name, name]);

/** An input with one field, whose value is the value of the condition. */
function single(kind, more = {}) {
  return {
    fields: ({ targetClass }) => [required("value", "Value", kind, { targetClass, ...more })],
    join: ({ value }) => value,
    split: (value) => ({ value }),
  };
}

/** An input with several fields. The value of the condition has a property for each of them. */
function several(...fields) {
  return { fields: () => fields, join: (values) => values, split: (value) => value };
}

const range = (kind) => several(required("from", "From", kind), required("to", "To", kind));

const inputs = {
  none: { fields: () => [], join: () => null, split: () => ({}) },
  text: single("text"),
  texts: single("lines"),
  number: single("number"),
  numberRange: range("number"),
  numbers: single("numbers"),
  yesNo: single("boolean"),
  item: single("item"),
  items: single("items"),
  moment: single("moment"),
  momentRange: range("moment"),
  place: single("place"),
  polygon: single("places"),
  circle: several(required("center", "Place", "place"), required("km", "Kilometres at most", "number")),
  box: several(required("one", "One corner", "place"), required("other", "Opposite corner", "place")),
  object: single("pointer"),
  pattern: {
    fields: () => [
      required("pattern", "Pattern", "text", { hint: "A regular expression." }),
      { name: "options", label: "Options", kind: "text", hint: "For example i: upper and lower case are equal." },
    ],
    join: ({ pattern, options = "" }) => ({ pattern, options }),
    split: ({ pattern, options }) => ({ pattern, options: options || undefined }),
  },
  day: {
    fields: () => [required("day", "Day", "day", { hint: "The day in UTC." })],
    join: ({ day }) => day.iso.slice(0, "2027-05-17".length),
    split: (day) => ({ day: date(Date.parse(`${day}T00:00:00.000Z`)) }),
  },
  period: {
    fields: () => [
      required("period", "Period", "choice", {
        options: asOptions(periodNames),
        hint: "Found anew at each read. Days begin at midnight UTC, weeks on Monday.",
      }),
    ],
    initial: { period: "this week" },
    join: ({ period }) => period,
    split: (period) => ({ period }),
  },
  span: {
    fields: () => [
      required("amount", "Amount", "number"),
      required("unit", "Unit", "choice", { options: spanUnits.map((unit) => [unit, `${unit}s`]), hint: "Counted from the time of each read." }),
    ],
    initial: { amount: 7, unit: "day" },
    join({ amount, unit }) {
      if (!Number.isInteger(amount) || amount < 1 || amount > 999_999) throw new Error("The amount is a whole number of at least 1.");
      return { amount, unit };
    },
    split: (span) => span,
  },
  objects: {
    fields: ({ targetClass }) => [required("ids", "Ids", "lines", { hint: `Ids of ${targetClass} objects, one per line.` })],
    join: ({ ids }, { targetClass }) => ids.map((objectId) => ({ __type: "Pointer", className: targetClass, objectId })),
    split: (pointers) => ({ ids: pointers.map(({ objectId }) => objectId) }),
  },
  query: {
    fields: ({ targetClass }) => [required("where", "Query", "object", { hint: `The query that the ${targetClass} object matches, as JSON.` })],
    join: ({ where }, { targetClass }) => ({ className: targetClass, where }),
    split: ({ where }) => ({ where }),
  },
  related: {
    fields: () => [
      required("className", "Class", "text"),
      required("objectId", "Id of the object", "text"),
      required("key", "Relation", "text", { hint: "The field of the object that holds the relation." }),
    ],
    join: ({ className, objectId, key }) => ({ object: { __type: "Pointer", className, objectId }, key }),
    split: ({ object: { className, objectId }, key }) => ({ className, objectId, key }),
  },
};

/** @returns {fields, join, split, initial}; `initial` has the first values of fields that are not empty at first */
export function inputOf(name) {
  return inputs[name];
}
