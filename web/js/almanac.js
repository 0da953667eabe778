// The almanac of a class: its objects by the day of a date field, grouped by month, with a line that marks today.

import { almanacEntry, drawAlmanac, monthGroups, withMore, withTodayLine } from "./almanac-entries.js";
import { spanStep } from "./almanac-reader.js";
import { dayOf, distanceText, formatDay } from "./dates.js";
import { commonFields, inOrder } from "./field-types.js";
import { ownValue } from "./records.js";
import { counted, t, tNodes } from "./texts.js";
import { valueText } from "./values.js";

/** The fields whose text names an object. */
const nameFields = ["name", "title"];
/** Entries within this number of days say how far away they are. */
const nearDays = 60;

/** The date field by which the almanac sorts a class: `date`, or the first other date field; null without a date field. */
export function dateField(types) {
  return inOrder(Object.keys(types)).find((name) => types[name].type === "Date" && !commonFields.includes(name)) ?? null;
}

/** @param types the field types of the class: {name: {type}} */
export function almanacOf(className, types) {
  const field = dateField(types) ?? "createdAt";
  const texts = inOrder(Object.keys(types)).filter((name) => types[name].type === "String" && !commonFields.includes(name));
  const nameField = nameFields.find((name) => texts.includes(name)) ?? texts[0];
  const detailsField = texts.find((name) => name !== nameField);
  const nameOf = (object) => {
    const name = nameField === undefined ? undefined : ownValue(object, nameField);
    return name ? valueText(name) : object.objectId;
  };
  const dated = (objects) => objects.map((object) => ({ object, day: dayOf(ownValue(object, field)) }));

  return {
    className,
    title: className,
    one: t("object"),
    many: t("objects"),
    counted: (count) => counted(count, "object"),
    order: nameField === undefined ? field : `${field},${nameField}`,
    isDated: true,
    fields: null,

    /** The list has the objects from today on, in the order of the date, so the first one of them is the next one of all. */
    intro(objects, today) {
      const next = dated(objects).find(({ day }) => day !== null && day.number >= today.number);
      if (!next) return [t("By {field}.", { field })];
      const name = { objectId: next.object.objectId, words: nameOf(next.object) };
      return tNodes("By {field}. Next is {name}, {distance}, on {day}.", { field, name, distance: distanceText(next.day, today), day: formatDay(next.day, "longDay") });
    },

    draw(container, objects, { today, side, stamp, hidden, showMore, isNew }) {
      const groups = withTodayLine(monthGroups(dated(objects)), today);
      drawAlmanac(container, withMore(groups, hidden, spanStep), {
        showMore,
        stamp: ({ object, day }) => `${today.iso} ${stamp(object)} ${day?.iso}`,
        entry: ({ object, day }) =>
          almanacEntry({
            object,
            day,
            isPast: day !== null && day.number < today.number,
            name: nameOf(object),
            note: day !== null && Math.abs(day.number - today.number) <= nearDays && distanceText(day, today),
            details: detailsField && ownValue(object, detailsField),
            byline: [],
            side: side(object),
          }),
      });
      if (isNew) container.querySelector(".today-line")?.scrollIntoView({ block: "nearest" });
    },
  };
}
