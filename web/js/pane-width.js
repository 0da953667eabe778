// The width of the pane of an object, which a separator at its edge changes by pointer and by keys.

import { inlineKey, sideways } from "./direction.js";
import { el } from "./dom.js";
import { t } from "./texts.js";

/** The smallest widths of the pane and of the list beside it, in CSS pixels. */
const widthMin = 320;
const listMin = 320;
/** The change of the width by an arrow key, in CSS pixels. */
const keyStep = 24;
const property = "--pane-width";
/** Remembers the width in CSS pixels; null for the standard width. */
let remember = () => {};

/** Takes the remembered width, and the function that remembers a width. */
export function usePaneWidth(width, rememberWidth) {
  remember = rememberWidth;
  write(width);
}

/**
 * The separator at the start of a pane. The arrow keys move it; Home and End make the pane as narrow and as wide as possible; a double
 * click restores the standard width.
 *
 * @param paneOf returns the pane
 */
export function paneSeparator(paneOf) {
  let start = null;
  const widthMax = () => Math.max(widthMin, paneOf().offsetWidth + document.getElementById("main").offsetWidth - listMin);
  const node = el("div", {
    class: "pane-separator",
    role: "separator",
    tabindex: "0",
    "aria-orientation": "vertical",
    "aria-label": t("Width of the pane"),
    on: {
      keydown: press,
      dblclick: () => set(null),
      focus: tell,
      pointerdown(event) {
        event.preventDefault();
        node.focus({ preventScroll: true });
        start = { at: event.clientX, width: paneOf().offsetWidth };
        node.setPointerCapture(event.pointerId);
      },
      pointermove: (event) => start !== null && write(widthAt(event)),
      pointerup(event) {
        if (start !== null && event.clientX !== start.at) set(widthAt(event));
        start = null;
      },
      pointercancel: () => (start = null),
    },
  });
  // The separator gets its values when the pane has its place on the page.
  new ResizeObserver(tell).observe(node);
  return node;

  function bounded(width) {
    return Math.round(Math.min(widthMax(), Math.max(widthMin, width)));
  }

  function widthAt({ clientX }) {
    return bounded(start.width - (clientX - start.at) * sideways());
  }

  function set(width) {
    write(width);
    remember(width);
    tell();
  }

  function tell() {
    if (!node.isConnected) return;
    node.setAttribute("aria-valuemin", String(widthMin));
    node.setAttribute("aria-valuemax", String(widthMax()));
    node.setAttribute("aria-valuenow", String(paneOf().offsetWidth));
  }

  function press(event) {
    const width = paneOf().offsetWidth;
    const widths = { ArrowLeft: width + keyStep, ArrowRight: width - keyStep, Home: widthMin, End: widthMax() };
    const next = widths[inlineKey(event)];
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    set(bounded(next));
  }
}

function write(width) {
  const { style } = document.documentElement;
  if (width === null) style.removeProperty(property);
  else style.setProperty(property, `${width}px`);
}
