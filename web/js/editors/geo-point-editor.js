// The editor of a GeoPoint: latitude and longitude as numbers, and a map on which the point can be moved.

import { createGeoMap } from "./geo-map.js";
import { typedNumber } from "./exact-number.js";
import { createTextEditor } from "./text-editor.js";
import { visuallyHidden } from "../buttons.js";
import { el } from "../dom.js";
import { t, valueNumberText } from "../texts.js";

/**
 * The two numbers of a text such as "52.0907, 5.1214"; null for any other text. A comma without a space may be a decimal separator,
 * unless both numbers have a point.
 */
export function pairOf(text) {
  const pair = /^(\S+?)\s*(?:;|,(?=\s))\s*(\S+)$/.exec(text.trim()) ?? /^([^,]*\.[^,]*),([^,]*\.[^,]*)$/.exec(text.trim());
  return pair === null ? null : [pair[1], pair[2]];
}

/** @param label the label of the field */
export function createGeoPointEditor(label, value, attributes) {
  if (value !== undefined && value?.__type !== "GeoPoint") return createTextEditor("place", value, attributes);
  const input = (more) => el("input", { class: "input", type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false", dir: "ltr", ...more, on: { input: typed } });
  const latitude = input(attributes);
  const longitude = input({ id: `${attributes.id}-longitude`, "aria-describedby": attributes["aria-describedby"] });
  const map = createGeoMap(label, (place) => {
    write(place);
    latitude.dispatchEvent(new Event("input", { bubbles: true }));
  });
  const part = (words, control) => el("div", {}, el("label", { class: "hint", for: control.id }, words), control);
  const node = el(
    "div",
    { class: "geo-editor" },
    el("div", { class: "geo-numbers" }, part(t("Latitude"), latitude), part([t("Longitude"), visuallyHidden(t(" of {label}", { label }))], longitude)),
    map.node,
  );
  if (value !== undefined) write(value);
  const untouched = texts();
  drawPoint();

  function texts() {
    return `${latitude.value}; ${longitude.value}`;
  }

  function write(place) {
    latitude.value = valueNumberText(place.latitude);
    longitude.value = valueNumberText(place.longitude);
  }

  /** Takes a pasted pair of numbers apart. */
  function typed() {
    const pair = pairOf(latitude.value);
    if (pair) [latitude.value, longitude.value] = pair;
    drawPoint();
  }

  function drawPoint() {
    const place = read();
    map.show(place === undefined || place instanceof Error ? null : place);
  }

  function read() {
    const [north, east] = [latitude.value.trim(), longitude.value.trim()];
    if (north === "" && east === "") return undefined;
    if (north === "") return new Error(t("Latitude is missing."));
    if (east === "") return new Error(t("Longitude is missing."));
    const numbers = [typedNumber(north), typedNumber(east)];
    const wrong = numbers.findIndex((number) => number instanceof Error);
    if (wrong >= 0) return new Error(`${[t("Latitude"), t("Longitude")][wrong]}: ${numbers[wrong].message}`);
    const isOnEarth = Math.abs(numbers[0]) <= 90 && Math.abs(numbers[1]) <= 180;
    if (!isOnEarth) return new Error(t("Latitude is between -90 and 90, longitude between -180 and 180."));
    return { __type: "GeoPoint", latitude: numbers[0], longitude: numbers[1] };
  }

  return {
    node,
    control: latitude,
    hint: t("In degrees: north and east are positive."),
    isEditable: true,
    isChanged: () => texts() !== untouched,
    isIncomplete: () => false,
    typed: texts,
    restoreText(text) {
      [latitude.value, longitude.value] = text.split(/[;,] /);
      drawPoint();
    },
    read: () => (texts() === untouched ? value : read()),
    save: async () => (texts() === untouched ? value : read()),
  };
}
