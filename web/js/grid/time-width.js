// The width of a column with times. It depends on the language, which decides how long a time is.

import { formatTime, formatUtc, utcOf } from "../dates.js";

/** The font of a table, and the room beside the text of a cell, in CSS pixels, as in grid.css. */
const fontSize = 14;
const padding = 22;
const smallest = 152;
/** Long times of each month: days of two digits, and in each time zone one whose day differs from the UTC day. */
const samples = Array.from({ length: 24 }, (_, at) => new Date(Date.UTC(2028, at % 12, 27, at < 12 ? 0 : 23, 48)).toISOString());

/** The known widths, by how times are shown. */
const known = new Map();

/** @param times how times are shown, see `remembered.js` */
export function timeWidth(times) {
  if (!known.has(times)) known.set(times, measured(times));
  return known.get(times);
}

function measured(times) {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  context.font = `${fontSize}px ${getComputedStyle(document.body).fontFamily}`;
  const texts = samples.map((iso) => (times === "utc" ? formatUtc(iso) : times === "both" ? `${formatTime(iso)} ${utcOf(iso) ?? ""}` : formatTime(iso)));
  return Math.max(smallest, ...texts.map((text) => Math.ceil(context.measureText(text).width) + padding));
}
