// The kinds of values that an editor with one control can edit.
//
// - `accepts` tells whether the kind can edit a value.
// - `write` turns a value into the control's text.
// - `read` turns the control's text into a value: undefined for an empty text, an Error for an invalid text. The second argument
//   of `read` is the value before the edit.

import { typedNumber } from "./exact-number.js";
import { dateValue, dayOf, localText, localValue, momentText, momentValue } from "../dates.js";
import { itemOf, itemText } from "./item-text.js";
import { areaOf, bytesOf, cornersText, json, lines, placeOf, placeText } from "./text-values.js";
import { t, valueNumberText } from "../texts.js";
import { isWebAddress } from "../values.js";

const code = { spellcheck: "false", autocapitalize: "off" };
const orNothing = (text) => text.trim() || undefined;
const orNone = (list) => (list.length === 0 ? undefined : list);
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

export const textKinds = {
  text: {
    control: "input",
    attributes: { type: "text", dir: "auto" },
    accepts: (value) => typeof value === "string" && !value.includes("\n"),
    write: (value) => value,
    read: orNothing,
  },
  longText: {
    control: "textarea",
    attributes: { rows: 3, dir: "auto" },
    accepts: (value) => typeof value === "string",
    write: (value) => value,
    read: (text) => (text.trim() === "" ? undefined : text),
  },
  number: {
    control: "input",
    attributes: { type: "text", dir: "auto", inputmode: "decimal", ...code },
    accepts: (value) => typeof value === "number",
    write: (value) => valueNumberText(value),
    read: (text) => (text.trim() === "" ? undefined : typedNumber(text)),
  },
  boolean: {
    control: "select",
    options: [["", t("Not set")], ["true", t("Yes")], ["false", t("No")]],
    accepts: (value) => typeof value === "boolean",
    write: String,
    read: (text) => (text === "" ? undefined : text === "true"),
  },
  /** A value that the user selects from the `options` of the field. */
  choice: {
    control: "select",
    accepts: (value) => typeof value === "string",
    write: (value) => value,
    read: (text) => text || undefined,
  },
  day: {
    control: "input",
    attributes: { type: "date", min: "0001-01-01", max: "9999-12-31" },
    accepts: (value) => dayOf(value) !== null,
    write: (value) => dayOf(value).iso,
    /** Keeps the time of day of the previous value, because the control shows only the day. */
    read: (text, before) => (text === "" ? undefined : dateValue(text, before)),
  },
  moment: {
    control: "input",
    attributes: { type: "datetime-local", step: "any", min: "0001-01-01T00:00", max: "9999-12-31T23:59" },
    hint: t("Day and time in UTC."),
    accepts: (value) => dayOf(value) !== null,
    write: momentText,
    read: (text) => (text === "" ? undefined : momentValue(text)),
  },
  /** Day and time in the time zone of the browser. */
  localMoment: {
    control: "input",
    attributes: { type: "datetime-local", step: "any", min: "0001-01-02T00:00", max: "9999-12-30T23:59" },
    accepts: (value) => dayOf(value) !== null,
    write: localText,
    read: (text) => (text === "" ? undefined : localValue(text)),
  },
  lines: {
    control: "textarea",
    attributes: { rows: 3, dir: "auto" },
    hint: t("One per line."),
    accepts: (value) => Array.isArray(value) && value.every((item) => typeof item === "string" && !item.includes("\n")),
    write: (value) => value.join("\n"),
    read: (text) => orNone(lines(text)),
  },
  webAddress: {
    control: "input",
    attributes: { type: "text", inputmode: "url", ...code },
    accepts: (value) => typeof value === "string",
    write: (value) => value,
    read: (text) => {
      const value = orNothing(text);
      const isFine = value === undefined || isWebAddress(value);
      return isFine ? value : new Error(t("Start with https:// and enter the full address."));
    },
  },
  place: {
    control: "input",
    attributes: { type: "text", placeholder: "52.0907, 5.1214", ...code },
    hint: t("Latitude and longitude in degrees, separated by a comma."),
    accepts: (value) => value?.__type === "GeoPoint",
    write: placeText,
    read: (text) => (text.trim() === "" ? undefined : placeOf(text)),
  },
  /** A text, a number, a truth value or any other JSON value, as `item-text.js` writes it. */
  item: {
    control: "input",
    attributes: { type: "text", dir: "auto", ...code },
    hint: t("A text, or a number, true, false or other JSON. A text that looks like one of these is in quotes."),
    accepts: () => true,
    write: itemText,
    read: (text) => (text.trim() === "" ? undefined : itemOf(text)),
  },
  places: {
    control: "textarea",
    attributes: { rows: 5, placeholder: "52.0907, 5.1214", ...code },
    hint: t("One corner per line: latitude and longitude in degrees, separated by a comma."),
    accepts: Array.isArray,
    write: (value) => value.map(placeText).join("\n"),
    read: (text) => {
      const places = lines(text).map(placeOf);
      return places.find((place) => place instanceof Error) ?? orNone(places);
    },
  },
  polygon: {
    control: "textarea",
    attributes: { rows: 5, placeholder: "52.0907, 5.1214", ...code },
    isCode: true,
    hint: t("One corner per line: latitude and longitude in degrees, separated by a comma."),
    accepts: (value) => value?.__type === "Polygon",
    write: cornersText,
    read: areaOf,
  },
  bytes: {
    control: "textarea",
    attributes: { rows: 3, ...code },
    isCode: true,
    hint: t("As base64."),
    accepts: (value) => value?.__type === "Bytes",
    write: ({ base64 }) => String(base64),
    read: bytesOf,
  },
  array: {
    control: "textarea",
    attributes: { rows: 4, ...code },
    isCode: true,
    hint: t("As JSON: [ … ]."),
    accepts: Array.isArray,
    write: (value) => JSON.stringify(value, null, 2),
    read: (text) => json(text, Array.isArray, t("Enter an array: [ … ].")),
  },
  object: {
    control: "textarea",
    attributes: { rows: 5, ...code },
    isCode: true,
    hint: t("As JSON: { … }."),
    accepts: isObject,
    write: (value) => JSON.stringify(value, null, 2),
    read: (text) => json(text, isObject, t("Enter an object: { … }.")),
  },
  json: {
    control: "textarea",
    attributes: { rows: 16, ...code },
    isCode: true,
    accepts: () => true,
    write: (value) => JSON.stringify(value, null, 2),
    read: (text) => json(text, isObject, t("Enter an object: { … }.")),
  },
};
