// The inputs for the values of conditions. An input has form fields, joins their values to the value of the condition, and splits
// this value again.

import { createConditionsEditor } from "./conditions-editor.js";
import { date, periodLabel, periodNames } from "./periods.js";
import { createRelationChoice } from "./relation-choice.js";
import { t } from "../texts.js";

const unitLabels = { minute: t("minutes"), hour: t("hours"), day: t("days"), week: t("weeks"), year: t("years") };
const required = (name, label, kind, more) => ({ name, label, kind, required: true, ...more });

/** An input with one field, whose value is the value of the condition. */
function single(kind, more = {}) {
  return {
    fields: ({ targetClass }) => [required("value", t("Value"), kind, { targetClass, ...more })],
    join: ({ value }) => value,
    split: (value) => ({ value }),
  };
}

const listOf = (itemKind) => single("list", { itemKind, label: t("Values") });

/** An input with several fields. The value of the condition has a property for each of them. */
function several(...fields) {
  return { fields: () => fields, join: (values) => values, split: (value) => value };
}

const range = (kind) => several(required("from", t("From"), kind), required("to", t("To"), kind));

const inputs = {
  none: { fields: () => [], join: () => null, split: () => ({}) },
  text: single("text"),
  texts: listOf("text"),
  number: single("number"),
  numberRange: range("number"),
  numbers: listOf("number"),
  yesNo: { ...single("boolean"), initial: { value: true } },
  item: single("item"),
  items: listOf("item"),
  moment: single("moment"),
  momentRange: range("moment"),
  place: single("place"),
  polygon: single("places"),
  circle: several(required("center", t("Place"), "place"), required("km", t("Kilometres at most"), "number")),
  box: several(required("one", t("One corner"), "place"), required("other", t("Opposite corner"), "place")),
  object: single("pointer"),
  pattern: {
    fields: () => [
      required("pattern", t("Pattern"), "text", { hint: t("A regular expression.") }),
      { name: "options", label: t("Options"), kind: "text", hint: t("For example i: upper and lower case are equal.") },
    ],
    join: ({ pattern, options = "" }) => ({ pattern, options }),
    split: ({ pattern, options }) => ({ pattern, options: options || undefined }),
  },
  day: {
    fields: () => [required("day", t("Day"), "day", { hint: t("The day that the table shows.") })],
    join: ({ day }) => day.iso.slice(0, "2027-05-17".length),
    split: (day) => ({ day: date(Date.parse(`${day}T00:00:00.000Z`)) }),
  },
  period: {
    fields: () => [
      required("period", t("Period"), "choice", {
        options: periodNames.map((name) => [name, periodLabel(name)]),
        hint: t("Found anew at each read, by the days that the table shows. Weeks begin on Monday."),
      }),
    ],
    initial: { period: "this week" },
    join: ({ period }) => period,
    split: (period) => ({ period }),
  },
  span: {
    fields: () => [
      required("amount", t("Amount"), "number"),
      required("unit", t("Unit"), "choice", { options: Object.entries(unitLabels), hint: t("Counted from the time of each read.") }),
    ],
    initial: { amount: 7, unit: "day" },
    join({ amount, unit }) {
      if (!Number.isInteger(amount) || amount < 1 || amount > 999_999) throw new Error(t("The amount is a whole number of at least 1."));
      return { amount, unit };
    },
    split: (span) => span,
  },
  objects: single("objects", { label: t("Objects") }),
  query: {
    fields: ({ targetClass }) => [
      required("where", t("Conditions on {className}", { className: targetClass }), "own", {
        create: (value, attributes, services) => createConditionsEditor(targetClass, value, attributes, services),
      }),
    ],
    join: ({ where }, { targetClass }) => ({ className: targetClass, where }),
    split: ({ where }) => ({ where }),
  },
  related: {
    fields: (_, className) => [
      required("relation", t("Relation"), "own", {
        create: (value, attributes, services) => createRelationChoice(className, value, attributes, services),
      }),
    ],
    join: ({ relation }) => relation,
    split: (relation) => ({ relation }),
  },
};

/**
 * @returns {fields, join, split, initial}. `fields(type, className)` returns the form fields for a field of a class with this type,
 *   `initial` has the first values of fields that are not empty at first
 */
export function inputOf(name) {
  return inputs[name];
}
