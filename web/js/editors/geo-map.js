// A small map of coordinates without tiles: a graticule, and one point that the pointer or the arrow keys move.

import { button, visuallyHidden } from "../buttons.js";
import { el } from "../dom.js";
import { t } from "../texts.js";

const namespace = "http://www.w3.org/2000/svg";
/** The widths of the map in degrees of longitude, with the distances of its lines. */
const levels = [[360, 30], [120, 10], [30, 5], [6, 1], [1.2, 0.2], [0.24, 0.05], [0.048, 0.01]];
/** The number of key presses that cross one field of the map. */
const keySteps = 20;
/** The number of decimals to which the map rounds coordinates: about 0.1 m. */
const decimals = 6;

const rounded = (number) => Number(number.toFixed(decimals));
const bounded = (latitude) => rounded(Math.max(-90, Math.min(90, latitude)));
const wrapped = (longitude) => rounded(longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude);

/** Coordinates as text, such as "52.0907° N, 5.1214° E". */
export function coordinatesText({ latitude, longitude }) {
  const part = (number, [positive, negative]) => `${Math.abs(number)}° ${number < 0 ? negative : positive}`;
  return `${part(latitude, "NS")}, ${part(longitude, "EW")}`;
}

/**
 * @param label the label of the field
 * @param onMove `(place)`: called with the coordinates to which the user has moved the point: {latitude, longitude}
 */
export function createGeoMap(label, onMove) {
  let place = null;
  let level = 0;
  let center = { latitude: 0, longitude: 0 };
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("class", "geo-map");
  svg.setAttribute("aria-hidden", "true");
  const said = el("span", { class: "geo-said", role: "status" });
  const zoomIn = button([t("Zoom in"), visuallyHidden(t(" on the map of {label}", { label }))], () => zoom(1), { className: "button-small button-quiet" });
  const zoomOut = button([t("Zoom out"), visuallyHidden(t(" on the map of {label}", { label }))], () => zoom(-1), { className: "button-small button-quiet" });
  const name = t("Map of {label}. The arrow keys move the point, plus and minus zoom", { label });
  const frame = el("div", { class: "geo-frame", role: "group", tabindex: "0", "aria-label": name, on: { keydown: press } }, svg);
  svg.addEventListener("pointerdown", begin);
  svg.addEventListener("pointermove", (event) => svg.hasPointerCapture(event.pointerId) && moveTo(placeAt(event)));

  const spans = () => ({ width: levels[level][0], height: levels[level][0] / 2, step: levels[level][1] });

  function begin(event) {
    if (event.button !== 0) return;
    svg.setPointerCapture(event.pointerId);
    moveTo(placeAt(event));
  }

  /** The coordinates below the pointer. */
  function placeAt({ clientX, clientY }) {
    const { left, top, width, height } = svg.getBoundingClientRect();
    const { width: degrees, height: half } = spans();
    return {
      latitude: bounded(center.latitude + half / 2 - ((clientY - top) / height) * half),
      longitude: wrapped(center.longitude - degrees / 2 + ((clientX - left) / width) * degrees),
    };
  }

  function press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "+" || event.key === "=") zoom(1);
    else if (event.key === "-") zoom(-1);
    else {
      const moves = { ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
      if (!Object.hasOwn(moves, event.key)) return;
      const by = (spans().step / keySteps) * (event.shiftKey ? 10 : 1);
      const from = place ?? center;
      const [north, east] = moves[event.key];
      moveTo({ latitude: bounded(from.latitude + north * by), longitude: wrapped(from.longitude + east * by) });
    }
    event.preventDefault();
  }

  function moveTo(next) {
    place = next;
    keepInView();
    draw();
    onMove(next);
  }

  function zoom(by) {
    level = Math.max(0, Math.min(levels.length - 1, level + by));
    if (place !== null) center = { ...place };
    keepInView();
    draw();
  }

  /** Moves the map so that it shows the point, and ends at the edge of the world. */
  function keepInView() {
    const { width, height } = spans();
    if (place !== null) {
      const isOutside = Math.abs(place.latitude - center.latitude) > height / 2 || Math.abs(place.longitude - center.longitude) > width / 2;
      if (isOutside) center = { ...place };
    }
    const inner = (value, edge, size) => Math.max(-edge + size / 2, Math.min(edge - size / 2, value));
    center = { latitude: inner(center.latitude, 90, height), longitude: inner(center.longitude, 180, width) };
  }

  function draw() {
    const { width, height, step } = spans();
    const [left, top] = [center.longitude - width / 2, -center.latitude - height / 2];
    svg.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
    const marks = [];
    const first = (from) => Math.ceil(from / step - 1e-9) * step;
    for (let x = first(left); x <= left + width; x += step) {
      const degrees = rounded(x);
      marks.push(shape("line", { class: degrees === 0 ? "geo-zero" : "geo-line", x1: degrees, x2: degrees, y1: top, y2: top + height }));
      if (degrees < left + width * 0.92) marks.push(caption(`${degrees}°`, degrees + width * 0.006, top + height - height * 0.02, width));
    }
    for (let y = first(top); y <= top + height; y += step) {
      const degrees = rounded(-y) + 0;
      marks.push(shape("line", { class: degrees === 0 ? "geo-zero" : "geo-line", x1: left, x2: left + width, y1: -degrees, y2: -degrees }));
      if (-degrees < top + height * 0.86 && -degrees > top + height * 0.05) marks.push(caption(`${degrees}°`, left + width * 0.006, -degrees - height * 0.01, width));
    }
    if (place !== null) {
      const at = { cx: place.longitude, cy: -place.latitude };
      marks.push(shape("circle", { class: "geo-halo", ...at, r: width / 40 }), shape("circle", { class: "geo-point", ...at, r: width / 110 }));
    }
    svg.replaceChildren(...marks);
    said.textContent = place === null ? t("No point yet") : coordinatesText(place);
    zoomIn.disabled = level === levels.length - 1;
    zoomOut.disabled = level === 0;
  }

  draw();
  return {
    node: el("div", { class: "geo" }, frame, el("div", { class: "geo-tools" }, said, zoomIn, zoomOut)),
    /** Shows the point at other coordinates; null shows no point. */
    show(next) {
      place = next;
      keepInView();
      draw();
    },
  };
}

function shape(tag, attributes) {
  const node = document.createElementNS(namespace, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  return node;
}

function caption(words, x, y, width) {
  const node = shape("text", { class: "geo-caption", x, y, "font-size": width / 34 });
  node.textContent = words;
  return node;
}
