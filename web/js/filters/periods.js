// Periods of the calendar, such as "this week". In a filter, a period is `{"$period": "this week"}`. The gateway knows no calendar,
// so the page turns a period into two dates at the time of the read. The days are the user's; they begin at midnight UTC, because dates are shown and entered in UTC. Weeks begin on Monday.

import { today } from "../dates.js";
import { hasOnly } from "./operator-forms.js";
import { record } from "../records.js";
import { t } from "../texts.js";

const dayMs = 86_400_000;

/** The periods by name, each with a function from the user's day to the first day and the day after the last. */
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

/** A `where` with dates in place of its periods. Null stands for no `where`. */
export function withDates(where, now = new Date()) {
  if (typeof where !== "object" || where === null) return where;
  if (Array.isArray(where)) return where.map((item) => withDates(item, now));
  const period = periodOf(where);
  if (period !== undefined) return periodCondition(period, now);
  return record(Object.fromEntries(Object.entries(where).map(([name, value]) => [name, withDates(value, now)])));
}

/** The condition that a date lies in a period: `{$gte, $lt}`. */
export function periodCondition(name, now) {
  const [begin, end] = periods.get(name)(today(now));
  return { $gte: date(begin * dayMs), $lt: date(end * dayMs) };
}

/** The condition that a date lies on a day such as "2027-05-17", in UTC. */
export function dayCondition(isoDay) {
  const begin = Date.parse(`${isoDay}T00:00:00.000Z`);
  return { $gte: date(begin), $lt: date(begin + dayMs) };
}

/** The day whose `dayCondition` the condition is; null for any other condition. */
export function dayOfCondition({ $gte, $lt }) {
  const begin = Date.parse($gte?.iso);
  const isDay = begin % dayMs === 0 && Date.parse($lt?.iso) === begin + dayMs;
  return isDay ? new Date(begin).toISOString().slice(0, "2027-05-17".length) : null;
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

function dayNumber(year, month) {
  return Date.UTC(year, month, 1) / dayMs;
}
