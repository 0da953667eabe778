// Buttons and small labels that several views share.

import { el } from "./dom.js";
import { icon } from "./icons.js";

/**
 * A button with a text label.
 *
 * @param className additional CSS classes
 * @param focus a name that identifies the button, so that it keeps the focus when its view is redrawn
 */
export function button(words, run, { className = "", focus } = {}) {
  const data = focus ? { focus } : {};
  return el("button", { class: `button ${className}`.trim(), type: "button", data, on: { click: oneAtATime(run) } }, words);
}

/** A button with only an icon. Its label names the action, and the object if the page has several such buttons. */
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

/** Wraps a button's action. Further presses do nothing while the action runs. */
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

/** Text for screen readers only. */
export function visuallyHidden(words) {
  return el("span", { class: "visually-hidden" }, words);
}

/** A small count beside a title. */
export function countLabel(count, words = "") {
  return el("span", { class: "count" }, words && visuallyHidden(", "), String(count), words && visuallyHidden(` ${words}`));
}
