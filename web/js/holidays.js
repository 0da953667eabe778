// Holidays: in the order of their dates, with a line where today is.

import { almanacEntry, drawAlmanac, monthGroups, withTodayLine } from "./almanac.js";
import { dayOf, dayWords, distanceWords } from "./dates.js";
import { isolated, outsideLink, valueWords } from "./values.js";

export const holidays = {
  className: "Holiday",
  title: "Holidays",
  one: "holiday",
  order: "date",
  fields: [
    { name: "name", label: "Name", kind: "text", required: true },
    { name: "date", label: "Date", kind: "day", required: true },
    { name: "details", label: "Details", kind: "longText" },
    { name: "observedBy", label: "Observed by", kind: "lines", hint: "Countries, regions or people, one to a line." },
    { name: "wikipediaLink", label: "Wikipedia address", kind: "webAddress" },
    { name: "image", label: "Picture", kind: "picture" },
  ],

  /** One sentence above the list, what comes next: texts and {objectId, words}. */
  lede(objects, today) {
    const next = inOrder(objects).find(({ day }) => day !== null && day.number >= today.number);
    if (!next) return objects.length > 0 ? ["All of these are past."] : [];
    const name = { objectId: next.object.objectId, words: nameOf(next.object) };
    if (next.day.number === today.number) return [name, " is today."];
    return ["Next is ", name, `, ${distanceWords(next.day, today)}, on ${dayWords(next.day, "longDay")}.`];
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
          note: day !== null && Math.abs(day.number - today.number) <= 60 && distanceWords(day, today),
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

/** Objects without a date come last. */
function daysOf({ day }) {
  return day?.number ?? Number.MAX_SAFE_INTEGER;
}

function nameOf(object) {
  return object.name ? valueWords(object.name) : "Unnamed";
}

function byline({ observedBy, wikipediaLink }) {
  const parts = [];
  const isObserved = Array.isArray(observedBy) ? observedBy.length > 0 : observedBy;
  if (isObserved) parts.push(`Observed by ${isolated(valueWords(observedBy))}`);
  if (wikipediaLink) parts.push(outsideLink(wikipediaLink, "Wikipedia") ?? valueWords(wikipediaLink));
  return parts;
}
