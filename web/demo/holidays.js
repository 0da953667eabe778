// The view of the Holiday class: entries ordered by date, with a line that marks today.

import { almanacEntry, drawAlmanac, monthGroups, withTodayLine } from "../js/almanac-entries.js";
import { dayOf, formatDay, distanceText } from "../js/dates.js";
import { counted, t, tNodes } from "../js/texts.js";
import { isolated, outsideLink, valueText } from "../js/values.js";

export const holidays = {
  className: "Holiday",
  title: t("Holidays"),
  one: t("holiday"),
  many: t("holidays"),
  counted: (count) => counted(count, "holiday"),
  order: "date",
  fields: [
    { name: "name", label: t("Name"), kind: "text", required: true },
    { name: "date", label: t("Date"), kind: "day", required: true },
    { name: "details", label: t("Details"), kind: "longText" },
    { name: "observedBy", label: t("Observed by"), kind: "lines", hint: t("Countries, regions or people, one per line.") },
    { name: "wikipediaLink", label: t("Wikipedia address"), kind: "webAddress" },
    { name: "image", label: t("Picture"), kind: "picture" },
  ],

  /** The sentence about the next holiday, as a list of parts. A part is a text, or the holiday's name as {objectId, words}. */
  intro(objects, today) {
    const next = inOrder(objects).find(({ day }) => day !== null && day.number >= today.number);
    if (!next) return objects.length > 0 ? [t("All of these are in the past.")] : [];
    const name = { objectId: next.object.objectId, words: nameOf(next.object) };
    if (next.day.number === today.number) return tNodes("{name} is today.", { name });
    return tNodes("Next is {name}, {distance}, on {day}.", { name, distance: distanceText(next.day, today), day: formatDay(next.day, "longDay") });
  },

  draw(container, objects, { today, side, stamp }) {
    drawAlmanac(container, withTodayLine(monthGroups(inOrder(objects)), today), {
      stamp: ({ object, day }) => `${today.iso} ${stamp(object)} ${day?.iso}`,
      entry: ({ object, day }) =>
        almanacEntry({
          object,
          day,
          isPast: day !== null && day.number < today.number,
          name: nameOf(object),
          note: day !== null && Math.abs(day.number - today.number) <= 60 && distanceText(day, today),
          details: object.details,
          byline: byline(object),
          side: side(object),
        }),
    });
  },
};

function inOrder(objects) {
  return objects
    .map((object) => ({ object, day: dayOf(object.date) }))
    .sort((one, other) => daysOf(one) - daysOf(other) || nameOf(one.object).localeCompare(nameOf(other.object)));
}

/** The sort key of an entry. Entries without a date sort last. */
function daysOf({ day }) {
  return day?.number ?? Number.MAX_SAFE_INTEGER;
}

function nameOf(object) {
  return object.name ? valueText(object.name) : t("Unnamed");
}

function byline({ observedBy, wikipediaLink }) {
  const parts = [];
  const isObserved = Array.isArray(observedBy) ? observedBy.length > 0 : observedBy;
  if (isObserved) parts.push(t("Observed by {value}", { value: isolated(valueText(observedBy)) }));
  if (wikipediaLink) parts.push(outsideLink(wikipediaLink, "Wikipedia") ?? valueText(wikipediaLink));
  return parts;
}
