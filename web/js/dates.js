// Dates and times. The date of a holiday or birthday is a calendar day. It is read in UTC, so that a time zone cannot shift it
// to another day. "Today" is the current day in the user's time zone.

import { locale } from "./language.js";
import { t } from "./texts.js";

const dayMs = 86_400_000;
const formats = {
  weekday: utc({ weekday: "short" }),
  month: utc({ month: "long" }),
  dayAndMonth: utc({ day: "numeric", month: "long" }),
  longDay: utc({ weekday: "long", day: "numeric", month: "long" }),
  fullDay: utc({ day: "numeric", month: "long", year: "numeric" }),
  utcMoment: utc({ day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" }),
  utcDay: utc({ dateStyle: "short" }),
  utcTime: utc({ hour: "2-digit", minute: "2-digit" }),
};
const localTime = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" });
const localDay = new Intl.DateTimeFormat(locale, { dateStyle: "short" });
const localMoment = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "medium" });
const utcMoment = utc({ dateStyle: "full", timeStyle: "medium" });
const zone = new Intl.DateTimeFormat(locale, { timeZoneName: "short" });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });

function utc(options) {
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
}

/** The calendar day of a Parse Date, in UTC; null for any other value. */
export function dayOf(value) {
  if (value?.__type !== "Date") return null;
  const ms = Date.parse(value.iso);
  return Number.isNaN(ms) ? null : dayFromMs(ms);
}

/** The current day in the user's time zone. */
export function today(now = new Date()) {
  return dayFromMs(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()));
}

/** The begin of a day in the user's time zone, in milliseconds. `number` counts the days since 1970-01-01. */
export function dayStart(number) {
  const day = new Date(number * dayMs);
  return new Date(2000, 0, 1).setFullYear(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate());
}

/** The UTC day of a time. `month` is 0 for January. `number` counts the days since 1970-01-01. */
function dayFromMs(ms) {
  const date = new Date(ms);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    number: Math.floor(ms / dayMs),
    iso: date.toISOString().slice(0, -"T00:00:00.000Z".length),
  };
}

/**
 * The Parse Date of an ISO day such as "2027-07-16"; undefined for an invalid day.
 *
 * @param before a Parse Date whose time of day is kept; without it, the time is midnight
 */
export function dateValue(isoDay, before) {
  const time = before ? momentText(before).slice(-"00:00:00.000".length) : "00:00:00.000";
  const ms = Date.parse(`${isoDay}T${time}Z`);
  return Number.isNaN(ms) ? undefined : { __type: "Date", iso: new Date(ms).toISOString() };
}

/** A Parse Date as the text of a datetime-local input, in UTC. */
export function momentText({ iso }) {
  return new Date(iso).toISOString().slice(0, -1);
}

/** The Parse Date for the text of a datetime-local input, in UTC; undefined for an invalid text. */
export function momentValue(text) {
  const ms = Date.parse(`${text}Z`);
  return Number.isNaN(ms) ? undefined : { __type: "Date", iso: new Date(ms).toISOString() };
}

/** A Parse Date as the text of a datetime-local input, in the time zone of the browser. */
export function localText({ iso }) {
  const date = new Date(iso);
  const two = (number, width = 2) => String(number).padStart(width, "0");
  const day = [two(date.getFullYear(), 4), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day}T${[date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => two(part)).join(":")}.${two(date.getMilliseconds(), 3)}`;
}

/** The Parse Date for the text of a datetime-local input, in the time zone of the browser; undefined for an invalid text. */
export function localValue(text) {
  const ms = new Date(text).getTime();
  return Number.isNaN(ms) ? undefined : { __type: "Date", iso: new Date(ms).toISOString() };
}

/** The next return of a calendar day, on the day `from` or later. In a common year, 29 February returns on 28 February. */
export function nextReturn(day, from) {
  const inYear = (year) => {
    const last = new Date(Date.UTC(year, day.month + 1, 0)).getUTCDate();
    return dayFromMs(Date.UTC(year, day.month, Math.min(day.day, last)));
  };
  const thisYear = inYear(from.year);
  return thisYear.number >= from.number ? thisYear : inYear(from.year + 1);
}

/** A day as text. `format` is the name of one of the `formats` of this file. */
export function formatDay(day, format) {
  return formats[format].format(day.number * dayMs);
}

/** The time from the day `from` to a day as text, such as "yesterday", "today", "in 12 days" or "in 3 months". */
export function distanceText(day, from) {
  const days = day.number - from.number;
  if (Math.abs(days) < 45) return relative.format(days, "day");
  if (Math.abs(days) < 545) return relative.format(Math.round(days / 30.44), "month");
  return relative.format(Math.round(days / 365.25), "year");
}

/** The time since a moment as text, such as "just now", "3 minutes ago" or "yesterday". */
export function agoText(iso, now = Date.now()) {
  const seconds = Math.round((Date.parse(iso) - now) / 1000);
  if (Math.abs(seconds) < 10) return t("just now");
  if (Math.abs(seconds) < 60) return relative.format(seconds, "second");
  if (Math.abs(seconds) < 3600) return relative.format(Math.round(seconds / 60), "minute");
  if (Math.abs(seconds) < 86_400) return relative.format(Math.round(seconds / 3600), "hour");
  return relative.format(Math.round(seconds / 86_400), "day");
}

/** Whether a Parse Date is midnight in UTC, which is shown as a calendar day. */
export function isDay(value) {
  return value?.__type === "Date" && Date.parse(value.iso) % dayMs === 0;
}

/** The name of the user's time zone at the time of a Parse Date, such as "GMT+1"; at the present time without one. */
export function zoneName(value) {
  const at = Date.parse(value?.iso);
  return zone.formatToParts(Number.isNaN(at) ? Date.now() : at).find(({ type }) => type === "timeZoneName").value;
}

/** A moment as text, with full date and time in the user's time zone. */
export function formatMoment(iso) {
  return localMoment.format(Date.parse(iso));
}

/** A moment as text, with full date and time in UTC. */
export function formatUtcMoment(iso) {
  return `${utcMoment.format(Date.parse(iso))} UTC`;
}

/** A moment as text: the date and the time in UTC, or only the date if the time is midnight. */
export function formatUtc(iso) {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) return String(iso);
  return ms % dayMs === 0 ? formats.fullDay.format(ms) : `${formats.utcMoment.format(ms)} UTC`;
}

/**
 * A moment in UTC as text, to stand beside the text of `formatTime`: the time, and the date if it is another one. Null for midnight
 * in UTC, which is shown as a calendar day, for an invalid time, and if the user's time zone is UTC.
 */
export function utcOf(iso) {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms) || ms % dayMs === 0 || localTime.format(ms) === formats.utcMoment.format(ms)) return null;
  const isSameDay = localDay.format(ms) === formats.utcDay.format(ms);
  return `${(isSameDay ? formats.utcTime : formats.utcMoment).format(ms)} UTC`;
}

/** A moment as text: the date and the time in the user's time zone, or only the date if the time is midnight in UTC. */
export function formatTime(iso) {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) return String(iso);
  return ms % dayMs === 0 ? formats.fullDay.format(ms) : localTime.format(ms);
}
