// The text of a condition on a chip: the field, the operator and the value.

import { isDay } from "../dates.js";
import { isGroup } from "./filter.js";
import { fromWhere } from "./filter-where.js";
import { spanLabel } from "./span-label.js";
import { operatorOf } from "./operators.js";
import { periodLabel } from "./periods.js";
import { relatedTo } from "./pointer-operators.js";
import { t } from "../texts.js";
import { valueText } from "../values.js";

/** The number of items of a list that a chip shows. */
const itemsShown = 3;

const idOf = ({ objectId }) => objectId;
const placeText = ({ latitude, longitude }) => `${latitude}°, ${longitude}°`;
const rangeText = ({ from, to }) => t("{from} and {to}", { from: valueText(from), to: valueText(to) });

/** A moment. A condition compares a date at midnight UTC as a moment, although a table shows it as a day. */
function momentText(value) {
  return isDay(value) ? t("{day}, midnight UTC", { day: valueText(value) }) : valueText(value);
}

const texts = {
  none: () => "",
  pattern: ({ pattern, options }) => `/${pattern}/${options}`,
  numberRange: rangeText,
  moment: momentText,
  momentRange: ({ from, to }) => t("{from} and {to}", { from: momentText(from), to: momentText(to) }),
  span: spanLabel,
  circle: ({ center, km }) => t("{place} ({km} km)", { place: placeText(center), km }),
  box: ({ one, other }) => t("{one} to {other}", { one: placeText(one), other: placeText(other) }),
  polygon: (corners) => t("of {count} corners", { count: corners.length }),
  period: periodLabel,
  query: ({ className, where }, typesOf, captionOf) => `(${filterText(fromWhere(where, typesOf(className)), typesOf(className), typesOf, captionOf)})`,
  related: ({ key, object }) => t("{key} of {className}", { key, className: object.className }),
};

/**
 * The parts of the text: {field, words, value, pointers}. `pointers` are the objects that follow the value, because a chip shows
 * them by their captions.
 *
 * @param types the known field types of the class, here and below
 * @param typesOf `(className)`: the known field types of another class
 * @param captionOf `(pointer)`: the caption of an object, here and below; without it, the text has its id
 */
export function conditionParts(condition, types, typesOf = () => ({}), captionOf = idOf) {
  const { field, value } = condition;
  const { input, words } = operatorOf(condition, types);
  const parts = { field: field === relatedTo ? "" : field, words, value: "", pointers: [] };
  if (input === "object") return { ...parts, pointers: [value] };
  if (input === "related") return { ...parts, value: texts.related(value), pointers: [value.object] };
  const write = texts[input];
  if (write) return { ...parts, value: write(value, typesOf, captionOf) };
  if (!Array.isArray(value)) return { ...parts, value: valueText(value) };
  const more = value.length > itemsShown ? t(" and {count} more", { count: value.length - itemsShown }) : "";
  if (input === "objects") return { ...parts, pointers: value.slice(0, itemsShown), value: more };
  return { ...parts, value: value.slice(0, itemsShown).map(valueText).join(", ") + more };
}

/** A condition as one text. */
export function conditionText(condition, types, typesOf, captionOf = idOf) {
  if (condition.where) return JSON.stringify(condition.where);
  const { field, words, value, pointers } = conditionParts(condition, types, typesOf, captionOf);
  return [field, words, value, ...pointers.map(captionOf)].filter(Boolean).join(" ");
}

/** A filter, a group or a condition as one text. */
export function filterText(item, types, typesOf, captionOf = idOf) {
  if (!isGroup(item)) return conditionText(item, types, typesOf, captionOf);
  const textOf = (part) => filterText(part, types, typesOf, captionOf);
  const words = item.items.map((part) => (isGroup(part) ? `(${textOf(part)})` : textOf(part))).join(", ");
  if (item.match === "all") return words;
  return item.match === "any" ? t("any of {conditions}", { conditions: words }) : t("none of {conditions}", { conditions: words });
}
