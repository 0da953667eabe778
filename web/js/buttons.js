// Buttons and small labels that several views share.

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { numberText } from "./texts.js";

/**
 * A button with a text label.
 *
 * @param className additional CSS classes
 * @param focus the button's name; if a focused button is rebuilt, the new button with this name gets the focus
 */
export function button(words, run, { className = "", focus } = {}) {
  const data = focus ? { focus } : {};
  return el("button", { class: `button ${className}`.trim(), type: "button", data, on: { click: oneAtATime(run) } }, words);
}

/**
 * A button with only an icon. The label for screen readers names the action, and also the object if the page
 * has several such buttons.
 */
export function iconButton(label, iconName, run, { title = null, focus } = {}) {
  return el(
    "button",
    {
      class: "icon-button",
      type: "button",
      "aria-label": label,
      title,
      data: focus ? { focus } : {},
      on: { click: oneAtATime(run) },
    },
    icon(iconName),
  );
}

/** Wraps the action of a button, so that presses have no effect while the action runs. */
function oneAtATime(run) {
  let isSyncing = false;
  return async () => {
    if (isSyncing) return;
    isSyncing = true;
    try {
      await run();
    } finally {
      isSyncing = false;
    }
  };
}

/** A text that only screen readers present. */
export function visuallyHidden(words) {
  return el("span", { class: "visually-hidden" }, words);
}

/** A text with a number. The page shows only the number; screen readers read the whole text. */
export function countOf(count, words) {
  const shown = numberText(count);
  const [before, ...after] = words.split(shown);
  return [before, after.join(shown)].map((part) => part !== "" && visuallyHidden(part)).toSpliced(1, 0, shown);
}

/** A small count beside a title. Screen readers also read `words`, which say what is counted; the page does not show them. */
export function countLabel(count, words = "") {
  return el("span", { class: "count" }, words && visuallyHidden(", "), String(count), words && visuallyHidden(` ${words}`));
}
