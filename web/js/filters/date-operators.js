// The operators on dates. The gateway resolves a time relative to now (`$relativeTime`). The page resolves the periods of the calendar.

import { hasOnly, keyed, operator } from "./operator-forms.js";
import { chosenDayOf, dayPeriod, periodOf } from "./periods.js";
import { t } from "../texts.js";

const isDate = (value) => value?.__type === "Date" && !Number.isNaN(Date.parse(value.iso));

const past = /^([1-9]\d{0,5}) (minute|hour|day|week|year)s? ago$/;
const future = /^in ([1-9]\d{0,5}) (minute|hour|day|week|year)s?$/;

/** A span such as "7 days", in English as the gateway reads it. */
function spanText({ amount, unit }) {
  return `${amount} ${unit}${amount === 1 ? "" : "s"}`;
}

const relative = (text) => ({ $relativeTime: text });
const ago = (span) => relative(`${spanText(span)} ago`);
const ahead = (span) => relative(`in ${spanText(span)}`);

/** The span of a relative time that a pattern matches; undefined for any other value. */
function spanOf(value, pattern) {
  const [, amount, unit] = pattern.exec(value?.$relativeTime) ?? [];
  return unit && { amount: Number(amount), unit };
}

const isNow = (value) => value?.$relativeTime === "now";

/** An operator with a chosen day, see `chosenDayOf`. */
function byDay(id, words, relation) {
  return operator(id, words, "day", (day) => dayPeriod(day, relation), (condition) => chosenDayOf(condition, relation));
}

/** The list of operators names examples of periods, because the word of the chip says too little there. */
const inPeriod = {
  ...operator("period", t("is"), "period", (name) => ({ $period: name }), periodOf),
  listed: t("is today, this week, last month …"),
};

const between = operator(
  "between",
  t("is between"),
  "momentRange",
  ({ from, to }) => ({ $gte: from, $lte: to }),
  (condition) => {
    if (!hasOnly(condition, "$gte", "$lte")) return undefined;
    const { $gte: from, $lte: to } = condition;
    return isDate(from) && isDate(to) ? { from, to } : undefined;
  },
);

const relativeOperators = [
  operator("last", t("is in the last"), "span", (span) => ({ $gte: ago(span), $lte: relative("now") }), (condition) => {
    return hasOnly(condition, "$gte", "$lte") && isNow(condition.$lte) ? spanOf(condition.$gte, past) : undefined;
  }),
  operator("next", t("is in the next"), "span", (span) => ({ $gte: relative("now"), $lte: ahead(span) }), (condition) => {
    return hasOnly(condition, "$gte", "$lte") && isNow(condition.$gte) ? spanOf(condition.$lte, future) : undefined;
  }),
  operator("olderThan", t("is longer ago than"), "span", (span) => ({ $lt: ago(span) }), (condition) => {
    return hasOnly(condition, "$lt") ? spanOf(condition.$lt, past) : undefined;
  }),
  operator("furtherThan", t("is further ahead than"), "span", (span) => ({ $gt: ahead(span) }), (condition) => {
    return hasOnly(condition, "$gt") ? spanOf(condition.$gt, future) : undefined;
  }),
  operator("past", t("is in the past"), "none", () => ({ $lt: relative("now") }), (condition) => {
    return hasOnly(condition, "$lt") && isNow(condition.$lt) ? null : undefined;
  }),
  operator("future", t("is in the future"), "none", () => ({ $gt: relative("now") }), (condition) => {
    return hasOnly(condition, "$gt") && isNow(condition.$gt) ? null : undefined;
  }),
];

export const dateOperators = [
  inPeriod,
  byDay("day", t("is on"), ""),
  byDay("dayBefore", t("is before the day"), "before"),
  byDay("dayAfter", t("is after the day"), "after"),
  keyed("less", t("is before"), "moment", "$lt", isDate),
  keyed("lessOrEqual", t("is at or before"), "moment", "$lte", isDate),
  keyed("greater", t("is after"), "moment", "$gt", isDate),
  keyed("greaterOrEqual", t("is at or after"), "moment", "$gte", isDate),
  between,
  ...relativeOperators,
];
