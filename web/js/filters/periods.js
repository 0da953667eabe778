// Periods of the calendar. In a filter, a period is `{"$period": "this week"}`, or has a chosen day: `"2031-05-17"`,
// `"before 2031-05-17"` or `"after 2031-05-17"`. The gateway knows no calendar, so the page turns a period into dates at the time of
// the read. The days are those that a table shows: in the time zone of the browser or in UTC, and for a date at midnight UTC the
// calendar day of the date. Weeks begin on Monday.

import { dayOf, dayStart, today } from "../dates.js";
import { allOf } from "./filter.js";
import { hasOnly } from "./operator-forms.js";
import { record } from "../records.js";
import { t } from "../texts.js";

const dayMs = 86_400_000;

/** The periods by name, each with a function from the present day to the first day and the day after the last. */
const periods = new Map([
  ["today", ({ number }) => [number, number + 1]],
  ["yesterday", ({ number }) => [number - 1, number]],
  ["tomorrow", ({ number }) => [number + 1, number + 2]],
  ["this week", (day) => week(day, 0)],
  ["last week", (day) => week(day, -1)],
  ["next week", (day) => week(day, 1)],
  ["this month", (day) => months(day, 0)],
  ["last month", (day) => months(day, -1)],
  ["next month", (day) => months(day, 1)],
  ["this year", ({ year }) => [dayNumber(year, 0), dayNumber(year + 1, 0)]],
  ["last year", ({ year }) => [dayNumber(year - 1, 0), dayNumber(year, 0)]],
]);

export const periodNames = [...periods.keys()];

const labels = {
  today: t("today"),
  yesterday: t("yesterday"),
  tomorrow: t("tomorrow"),
  "this week": t("this week"),
  "last week": t("last week"),
  "next week": t("next week"),
  "this month": t("this month"),
  "last month": t("last month"),
  "next month": t("next month"),
  "this year": t("this year"),
  "last year": t("last year"),
};

/** The name of a period in the language of the page. */
export function periodLabel(name) {
  return labels[name];
}

/** The name in a `$period`; undefined for any other condition. */
export function periodOf(condition) {
  return hasOnly(condition, "$period") && periods.has(condition.$period) ? condition.$period : undefined;
}

/**
 * The day in a `$period` with a chosen day, such as "2031-05-17"; undefined for any other condition.
 *
 * @param relation "", "before" or "after"
 */
export function chosenDayOf(condition, relation) {
  const found = hasOnly(condition, "$period") ? chosenDay(condition.$period) : null;
  return found?.relation === relation ? found.day : undefined;
}

/** The condition on a chosen day, see `chosenDayOf`. */
export function dayPeriod(day, relation) {
  return { $period: `${relation} ${day}`.trim() };
}

/**
 * A `where` with dates in place of its periods. Null stands for no `where`.
 *
 * @param times how tables show times, see `remembered.js`
 */
export function withDates(where, times, now = new Date()) {
  if (typeof where !== "object" || where === null) return where;
  if (Array.isArray(where)) return where.map((item) => withDates(item, times, now));
  const present = times === "utc" ? dayOf(date(now)) : today(now);
  const parts = Object.entries(where).map(([name, value]) => {
    const days = hasOnly(value, "$period") ? daysOf(value.$period, present) : null;
    return days === null ? record({ [name]: withDates(value, times, now) }) : onDays(name, days, times === "utc");
  });
  return allOf(...parts) ?? record();
}

/** Whether a `where` has a period, whose dates depend on how times are shown. */
export function hasPeriod(where) {
  if (hasOnly(where, "$period")) return true;
  return typeof where === "object" && where !== null && Object.values(where).some(hasPeriod);
}

/** The first day of a period and the day after its last one, as numbers of days; null in place of an open end, and for no period. */
function daysOf(name, present) {
  if (periods.has(name)) return periods.get(name)(present);
  const chosen = chosenDay(name);
  if (chosen === null) return null;
  const { number } = dayOf(date(`${chosen.day}T00:00:00.000Z`));
  return { "": [number, number + 1], before: [null, number], after: [number + 1, null] }[chosen.relation];
}

function chosenDay(text) {
  const [, relation = "", day] = /^(?:(before|after) )?(\d{4}-\d\d-\d\d)$/.exec(text) ?? [];
  return day === undefined || Number.isNaN(Date.parse(day)) ? null : { relation, day };
}

/**
 * The `where` that a field shows a date on the days from `first` to the one before `end`, as numbers of days; null for an open end.
 * West of UTC, the local day begins after midnight UTC, at which the dates without a time lie.
 *
 * @param isUtc whether tables show times in UTC
 */
export function onDays(field, [first, end], isUtc) {
  const bound = (day) => date(isUtc ? day * dayMs : dayStart(day));
  const condition = {};
  if (first !== null) condition.$gte = bound(first);
  if (end !== null) condition.$lt = bound(end);
  if (end !== null && isBeyond(end, condition.$lt)) condition.$ne = date(end * dayMs);
  const inRange = record({ [field]: condition });
  if (first === null || !isBeyond(first, condition.$gte)) return inRange;
  return { $or: [inRange, record({ [field]: date(first * dayMs) })] };
}

/** Whether a day begins later than at midnight UTC. */
function isBeyond(day, { iso }) {
  return Date.parse(iso) > day * dayMs;
}

export function date(ms) {
  return { __type: "Date", iso: new Date(ms).toISOString() };
}

function week({ number }, later) {
  // Day 0, 1970-01-01, was a Thursday.
  const monday = number - ((number + 3) % 7) + later * 7;
  return [monday, monday + 7];
}

function months({ year, month }, later) {
  return [dayNumber(year, month + later), dayNumber(year, month + later + 1)];
}

export function dayNumber(year, month) {
  return Date.UTC(year, month, 1) / dayMs;
}
