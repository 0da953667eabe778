// The buttons that several views use.

import { el } from "./dom.js";
import { icon } from "./icons.js";

/**
 * A button with words on it.
 *
 * @param look further classes
 * @param focus the name under which it gets the focus back when its surroundings are drawn again
 */
export function button(words, run, { look = "", focus } = {}) {
  const data = focus ? { focus } : {};
  return el("button", { class: `button ${look}`.trim(), type: "button", data, on: { click: oneAtATime(run) } }, words);
}

/** A button that is only a sign. Its label says what it does, and to what where there are several of it. */
export function iconButton(label, sign, run, { title = null, focus } = {}) {
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
    icon(sign),
  );
}

/** A press does nothing while what an earlier one began is still under way. */
function oneAtATime(run) {
  let isRunning = false;
  return async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await run();
    } finally {
      isRunning = false;
    }
  };
}

/** Words that are read out, not shown. */
export function unseen(words) {
  return el("span", { class: "visually-hidden" }, words);
}

/** A small number beside a title. */
export function countMark(count, words = "") {
  return el("span", { class: "count" }, words && unseen(", "), String(count), words && unseen(` ${words}`));
}
