// The words for units of time, as the filters show them.

import { counted } from "../texts.js";

const labels = {
  minute: (count) => counted(count, "minute"),
  hour: (count) => counted(count, "hour"),
  day: (count) => counted(count, "day"),
  week: (count) => counted(count, "week"),
  year: (count) => counted(count, "year"),
};

/** A span such as "7 days". */
export function spanLabel({ amount, unit }) {
  return labels[unit](amount);
}
