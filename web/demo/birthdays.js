// The view of the class Birthday: entries in calendar order from the next birthday on, with the age that the person reaches.

import { almanacEntry, drawAlmanac, monthGroups } from "../js/almanac-entries.js";
import { dayOf, formatDay, distanceText, nextReturn } from "../js/dates.js";
import { counted, t, tNodes } from "../js/texts.js";
import { outsideLink, valueText } from "../js/values.js";

/** The first plausible year of birth. For an earlier or a future year, the page shows no age. */
const firstBirthYear = 1880;

export const birthdays = {
  className: "Birthday",
  title: t("Birthdays"),
  one: t("birthday"),
  many: t("birthdays"),
  counted: (count) => counted(count, "birthday"),
  order: "date",
  fields: [
    { name: "name", label: t("Name"), kind: "text", required: true },
    {
      name: "date",
      label: t("Birthday"),
      kind: "day",
      required: true,
      hint: t("With the year of birth, the page shows the age. If the year is unknown, enter a future year."),
    },
    { name: "giftIdeas", label: t("Gift ideas"), kind: "longText" },
    { name: "facebook", label: t("Facebook address"), kind: "webAddress" },
    { name: "image", label: t("Picture"), kind: "picture" },
  ],

  intro(objects, today) {
    const next = inOrder(objects, today).find(({ day }) => day !== null);
    if (!next) return [];
    const age = ageAt(next);
    const name = { objectId: next.object.objectId, words: nameOf(next.object) };
    if (next.day.number === today.number) {
      return age === null ? tNodes("{name} has a birthday today.", { name }) : tNodes("{name} turns {age} today.", { name, age });
    }
    const values = { name, age, distance: distanceText(next.day, today), day: formatDay(next.day, "longDay") };
    if (age === null) return tNodes("Next, {name} has a birthday {distance}, on {day}.", values);
    return tNodes("Next, {name} turns {age} {distance}, on {day}.", values);
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
  return [age !== null && t("turns {age}", { age }), distance].filter(Boolean).join(" ") || null;
}

/** The sort key of an entry. Entries without a date sort last. */
function daysOf({ day }) {
  return day?.number ?? Number.MAX_SAFE_INTEGER;
}

function nameOf(object) {
  return object.name ? valueText(object.name) : t("Unnamed");
}

function byline({ object, birth }, today) {
  const parts = [];
  const isBorn = birth !== null && birth.year >= firstBirthYear && birth.number <= today.number;
  if (isBorn) parts.push(t("Born {day}", { day: formatDay(birth, "fullDay") }));
  if (object.facebook) parts.push(outsideLink(object.facebook, "Facebook") ?? valueText(object.facebook));
  return parts;
}
