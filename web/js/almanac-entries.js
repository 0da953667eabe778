// The entries of an almanac, grouped by month. A line can mark today.

import { button } from "./buttons.js";
import { el, reconcile } from "./dom.js";
import { formatDay } from "./dates.js";
import { pictureOf } from "./files.js";
import { numberText, t } from "./texts.js";
import { excerpt, valueNode, valueText } from "./values.js";

/**
 * Groups consecutive entries of the same month, as [{key, day, items}].
 *
 * @param dated the entries as [{object, day, …}]; `day` is null for an object without a date
 */
export function monthGroups(dated) {
  const groups = [];
  for (const item of dated) {
    const key = item.day === null ? "undated" : `${item.day.year}-${item.day.month}`;
    if (groups.at(-1)?.key !== key) groups.push({ key, day: item.day, items: [] });
    groups.at(-1).items.push(item);
  }
  return groups;
}

/**
 * Inserts the line that marks today: after all past entries, and before the entries of today. If the current month has no
 * entries, the line is a group of its own. If no entry has a date, no line is inserted.
 */
export function withTodayLine(groups, today) {
  const line = { isToday: true, day: today };
  const result = [];
  let isPlaced = groups.every((group) => group.day === null);
  for (const group of groups) {
    const isUndated = group.day === null;
    const ahead = isUndated ? -1 : group.items.findIndex((item) => item.day.number >= today.number);
    const isThisMonth = group.day?.year === today.year && group.day?.month === today.month;
    if (!isPlaced && (ahead >= 0 || isUndated || isThisMonth)) {
      isPlaced = true;
      if (isThisMonth) {
        const at = ahead < 0 ? group.items.length : ahead;
        result.push({ ...group, items: group.items.toSpliced(at, 0, line) });
        continue;
      }
      result.push({ key: "today", day: null, items: [line] });
    }
    result.push(group);
  }
  if (!isPlaced) result.push({ key: "today", day: null, items: [line] });
  return result;
}

/**
 * Adds the buttons that show more objects, before and after the groups.
 *
 * @param hidden the numbers of the objects that are not shown: {earlier, later}
 * @param step the maximum number of objects that a button adds
 */
export function withMore(groups, hidden, step) {
  const more = (side) => (hidden[side] > 0 ? [{ key: side, more: Math.min(step, hidden[side]), items: [] }] : []);
  return [...more("earlier"), ...groups, ...more("later")];
}

/**
 * Draws groups of entries. `entry` builds the node of an entry. If the entry's `stamp` changes, its node is built again.
 * `showMore(side)` resolves when the almanac shows more earlier or later objects.
 */
export function drawAlmanac(container, groups, { entry, stamp, showMore }) {
  reconcile(container, groups, {
    key: (group) => group.key,
    stamp: (group) => (group.more ? `more ${group.more}` : group.key === "today" ? "line" : "month"),
    build: (group) => group.more ? moreButton(group, () => showMoreInPlace(container, () => showMore(group.key))) : el("section", { class: "month" }, monthHead(group), el("ol", { class: "entries" })),
    update: (node, group) =>
      !group.more && reconcile(node.lastElementChild, group.items, {
        key: (item) => (item.isToday ? "today" : item.object.objectId),
        stamp: (item) => (item.isToday ? item.day.iso : stamp(item)),
        build: (item) => (item.isToday ? todayLine(item.day) : entry(item)),
      }),
  });
}

function moreButton({ key, more }, show) {
  const count = numberText(more);
  const words = key === "earlier" ? t("Show {count} earlier", { count }) : t("Show {count} later", { count });
  return el("p", { class: `almanac-more almanac-${key}` }, button(words, show, { focus: `almanac ${key}` }));
}

/** Shows more entries, and scrolls so that the first entry stays where it is. */
async function showMoreInPlace(container, show) {
  const first = container.querySelector(".entry");
  const top = first.getBoundingClientRect().top;
  await show();
  const by = first.getBoundingClientRect().top - top;
  if (first.isConnected) document.getElementById("main").scrollBy(0, by);
}

function monthHead({ key, day }) {
  if (key === "today") return null;
  if (key === "undated") return el("h2", { class: "month-name" }, t("No date"));
  const year = el("span", { class: "month-year" }, String(day.year));
  return el("h2", { class: "month-name" }, formatDay(day, "month"), " ", year);
}

function todayLine(day) {
  return el("li", { class: "today-line" }, el("span", {}, t("Today, {day}", { day: formatDay(day, "longDay") })));
}

/**
 * Builds one entry: day, name, details, picture, sync badge and buttons.
 *
 * @param byline the texts and links in small print
 * @param side the sync badge, its reason, and the buttons (`actions`): {badge, reason, actions, isDeleting, isOpen}
 */
export function almanacEntry({ object, day, isPast = false, name, note, details, byline, side }) {
  const picture = pictureOf(object, { className: "entry-picture", alt: "" });
  // If no field of the object holds a picture, a file in the field `image` gets a download link.
  const prints = !picture && object.image?.__type === "File" ? [...byline, valueNode(object.image)] : byline;
  const classes = ["entry", isPast && "entry-past", picture && "entry-pictured", side.isDeleting && "is-deleting"].filter(Boolean).join(" ");
  return el(
    "li",
    { class: classes, tabindex: "-1", "aria-current": side.isOpen ? "true" : null, data: { object: object.objectId, focus: `entry ${object.objectId}` } },
    day === null
      ? el("span", { class: "entry-day" })
      : el(
          "time",
          { class: "entry-day", datetime: day.iso },
          el("span", { class: "entry-numeral" }, String(day.day)),
          el("span", { class: "entry-weekday" }, formatDay(day, "weekday")),
        ),
    el("h3", { class: "entry-name" }, el("span", { dir: "auto" }, name), note && el("span", { class: "entry-note" }, note)),
    el(
      "div",
      { class: "entry-text" },
      details && el("p", { class: "entry-details", dir: "auto" }, excerpt(valueText(details))),
      prints.length > 0 && el("p", { class: "entry-byline" }, prints.map((part) => el("span", { dir: "auto" }, part))),
      side.reason && el("p", { class: "entry-reason", dir: "auto" }, side.reason),
    ),
    picture,
    el("div", { class: "entry-side" }, side.badge, side.actions),
  );
}
