// The view of the class Birthday: entries in calendar order from the next birthday on, with the age that the person reaches.

import { almanacEntry, drawAlmanac, monthGroups } from "../js/almanac-entries.js";
import { dayOf, formatDay, distanceText, nextReturn } from "../js/dates.js";
import { outsideLink, valueText } from "../js/values.js";

/** The first plausible year of birth. For an earlier or a future year, the page shows no age. */
const firstBirthYear = 1880;

export const birthdays = {
  className: "Birthday",
  title: "Birthdays",
  one: "birthday",
  order: "date",
  fields: [
    { name: "name", label: "Name", kind: "text", required: true },
    {
      name: "date",
      label: "Birthday",
      kind: "day",
      required: true,
      hint: "With the year of birth, the page shows the age. If the year is unknown, enter a future year.",
    },
    { name: "giftIdeas", label: "Gift ideas", kind: "longText" },
    { name: "facebook", label: "Facebook address", kind: "webAddress" },
    { name: "image", label: "Picture", kind: "picture" },
  ],

  intro(objects, today) {
    const next = inOrder(objects, today).find(({ day }) => day !== null);
    if (!next) return [];
    const age = ageAt(next);
    const turns = age === null ? "has a birthday" : `turns ${age}`;
    const name = { objectId: next.object.objectId, words: nameOf(next.object) };
    if (next.day.number === today.number) return [name, ` ${turns} today.`];
    return ["Next, ", name, ` ${turns} ${distanceText(next.day, today)}, on ${formatDay(next.day, "longDay")}.`];
  },

  draw(container, objects, { today, side, stamp }) {
    drawAlmanac(container, monthGroups(inOrder(objects, today)), {
      stamp: ({ object, day }) => `${today.iso} ${stamp(object)} ${day?.iso}`,
      entry: (item) =>
        almanacEntry({
          object: item.object,
          day: item.day,
          name: nameOf(item.object),
          note: noteFor(item, today),
          details: item.object.giftIdeas,
          byline: byline(item, today),
          side: side(item.object),
        }),
    });
  },
};

function inOrder(objects, today) {
  return objects
    .map((object) => {
      const birth = dayOf(object.date);
      return { object, birth, day: birth && nextReturn(birth, today) };
    })
    .sort((one, other) => daysOf(one) - daysOf(other) || nameOf(one.object).localeCompare(nameOf(other.object)));
}

function ageAt({ birth, day }) {
  const age = day.year - birth.year;
  return birth.year >= firstBirthYear && age > 0 ? age : null;
}

function noteFor(item, today) {
  if (item.day === null) return null;
  const age = ageAt(item);
  const distance = item.day.number - today.number <= 60 ? distanceText(item.day, today) : null;
  return [age !== null && `turns ${age}`, distance].filter(Boolean).join(" ") || null;
}

/** The sort key of an entry. Entries without a date sort last. */
function daysOf({ day }) {
  return day?.number ?? Number.MAX_SAFE_INTEGER;
}

function nameOf(object) {
  return object.name ? valueText(object.name) : "Unnamed";
}

function byline({ object, birth }, today) {
  const parts = [];
  const isBorn = birth !== null && birth.year >= firstBirthYear && birth.number <= today.number;
  if (isBorn) parts.push(`Born ${formatDay(birth, "fullDay")}`);
  if (object.facebook) parts.push(outsideLink(object.facebook, "Facebook") ?? valueText(object.facebook));
  return parts;
}
