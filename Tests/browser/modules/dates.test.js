import { agoText, dateValue, dayOf, distanceText, momentText, momentValue, nextReturn, today, formatUtc, utcOf } from "../../../web/js/dates.js";
import { equal, test } from "./check.js";

const date = (iso) => ({ __type: "Date", iso });
const day = (iso) => dayOf(date(`${iso}T00:00:00.000Z`));

test("a calendar day is read in UTC", () => {
  equal(day("2027-07-16").iso, "2027-07-16");
  equal(dayOf(date("2027-07-16T23:59:59.999Z")).iso, "2027-07-16");
  equal(day("1970-01-02").number, 1);
  equal(day("1969-12-31").number, -1);
  equal(dayOf(date("never")), null);
  equal(dayOf("2027-07-16"), null);
  equal(dayOf(undefined), null);
});

test("today is the day in the local time zone", () => {
  equal(today(new Date("2027-07-16T23:00:00Z")).iso, "2027-07-17");
});

test("a day and a time are written in UTC", () => {
  equal(dateValue("2027-07-16"), date("2027-07-16T00:00:00.000Z"));
  equal(dateValue("2027-07-16", date("1999-01-01T10:20:30.400Z")), date("2027-07-16T10:20:30.400Z"));
  equal(dateValue("2027-13-16"), undefined);
  equal(momentText(date("2027-07-16T10:20:30.400Z")), "2027-07-16T10:20:30.400");
  equal(momentValue("2027-07-16T10:20"), date("2027-07-16T10:20:00.000Z"));
  equal(momentValue(""), undefined);
});

test("anniversaries return each year; 29 February falls on the 28th in common years", () => {
  equal(nextReturn(day("1984-02-11"), day("2027-02-11")).iso, "2027-02-11");
  equal(nextReturn(day("1984-02-11"), day("2027-02-12")).iso, "2028-02-11");
  equal(nextReturn(day("1984-02-29"), day("2027-01-01")).iso, "2027-02-28");
  equal(nextReturn(day("1984-02-29"), day("2028-01-01")).iso, "2028-02-29");
});

test("distances are shown in days, months or years", () => {
  const from = day("2027-01-01");
  equal(distanceText(day("2027-01-01"), from), "today");
  equal(distanceText(day("2027-01-02"), from), "tomorrow");
  equal(distanceText(day("2027-01-13"), from), "in 12 days");
  equal(distanceText(day("2027-04-01"), from), "in 3 months");
  equal(distanceText(day("2030-01-01"), from), "in 3 years");
});

test("past times are shown in seconds to days", () => {
  const now = Date.parse("2027-07-16T12:00:00Z");
  const ago = (seconds) => agoText(new Date(now - seconds * 1000).toISOString(), now);
  equal(ago(3), "just now");
  equal(ago(30), "30 seconds ago");
  equal(ago(180), "3 minutes ago");
  equal(ago(7200), "2 hours ago");
  equal(ago(86_400), "yesterday");
});

test("a moment is shown in UTC; midnight is shown as a date", () => {
  equal(formatUtc("2027-07-16T00:00:00.000Z"), "16 July 2027");
  equal(formatUtc("2027-07-16T09:05:00.000Z"), "16 Jul 2027, 09:05 UTC");
  equal(formatUtc("never"), "never");
});

test("the time in UTC stands beside a local time, with the day if it is another one", () => {
  equal(utcOf("2031-05-17T02:30:00.000Z"), "02:30 UTC");
  equal(utcOf("2031-05-17T14:30:00.000Z"), "17 May 2031, 14:30 UTC");
  equal([utcOf("2031-05-17T00:00:00.000Z"), utcOf("never")], [null, null]);
});
