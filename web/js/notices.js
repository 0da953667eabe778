// Short messages at the bottom of the page, at most three at a time. Screen readers announce them too. Warnings and reminders
// stay until the user dismisses them or starts a sync. A warning about the shown place disappears when the user leaves the place.
// Other notices disappear after a few seconds.

import { iconButton } from "./buttons.js";
import { el } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./texts.js";

const shownMs = 5_000;
const noticesMax = 3;
/** The maximum number of announcements that stay in the page. A screen reader may still be reading the latest ones. */
const spokenMax = 3;

export function createNotices(container, announcer) {
  function speak(text) {
    announcer.append(el("p", { dir: "auto" }, text));
    while (announcer.children.length > spokenMax) announcer.firstElementChild.remove();
  }

  /**
   * @param stays whether the notice stays until the user dismisses it
   * @param isHere whether the notice disappears when the user leaves the shown place
   */
  function show(text, { isWarning = false, stays = isWarning, isHere = false } = {}) {
    // A repeated notice replaces the earlier one.
    for (const notice of container.querySelectorAll(".notice")) if (notice.querySelector("p").textContent === text) notice.remove();
    const notice = el(
      "div",
      { class: isWarning ? "notice notice-warning" : "notice", role: isWarning ? "alert" : null, data: { stays, isHere } },
      isWarning && icon("alert"),
      el("p", { dir: "auto" }, text),
      iconButton(t("Dismiss"), "close", () => notice.remove()),
    );
    container.append(notice);
    while (container.children.length > noticesMax) container.firstElementChild.remove();
    if (!stays) setTimeout(() => notice.remove(), shownMs);
  }

  return {
    tell(text) {
      // A new notice replaces earlier notices, except warnings and reminders.
      for (const notice of container.querySelectorAll("[data-stays=false]")) notice.remove();
      show(text);
      speak(text);
    },
    /** Shows an important notice, which stays until the user dismisses it. */
    remind(text) {
      show(text, { stays: true });
      speak(text);
    },
    warn: (text) => show(text, { isWarning: true }),
    /** Shows a warning about the shown place. */
    warnHere: (text) => show(text, { isWarning: true, isHere: true }),
    /** Removes the warnings about the place that the user leaves. */
    leavePlace() {
      for (const notice of container.querySelectorAll("[data-is-here=true]")) notice.remove();
    },
    /** Removes all notices. Called when the user starts a sync. */
    clear: () => container.replaceChildren(),
    /** Announces a text to screen readers only. The page shows the text in another place. */
    announce: speak,
  };
}
