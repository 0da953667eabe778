import { monthGroups, withTodayLine } from "../../../web/js/almanac-entries.js";
import { dayOf } from "../../../web/js/dates.js";
import { equal, test } from "./check.js";

const day = (iso) => dayOf({ __type: "Date", iso: `${iso}T00:00:00.000Z` });
const items = (...days) => days.map((iso) => ({ object: {}, day: iso && day(iso) }));
const shape = (groups) => groups.map(({ key, items: entries }) => [key, entries.map((item) => (item.isToday ? "today" : (item.day?.iso ?? "none")))]);

test("objects are grouped by month; objects without a date form a separate group", () => {
  equal(shape(monthGroups(items("2027-01-05", "2027-01-09", "2027-03-01", null))), [
    ["2027-0", ["2027-01-05", "2027-01-09"]], ["2027-2", ["2027-03-01"]], ["undated", ["none"]],
  ]);
});

test("the today line stands in the current month or between two months", () => {
  const groups = monthGroups(items("2027-01-05", "2027-03-01", null));
  equal(shape(withTodayLine(groups, day("2027-01-05")))[0], ["2027-0", ["today", "2027-01-05"]]);
  equal(shape(withTodayLine(groups, day("2027-01-06")))[0], ["2027-0", ["2027-01-05", "today"]]);
  equal(shape(withTodayLine(groups, day("2027-02-01")))[1], ["today", ["today"]]);
  equal(shape(withTodayLine(groups, day("2027-04-01")))[2], ["today", ["today"]]);
  equal(withTodayLine([], day("2027-04-01")), []);
});
