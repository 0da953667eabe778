// Short messages at the bottom of the page, which screen readers announce too. Warnings and reminders stay until dismissed. Other
// notices disappear after a few seconds.

import { iconButton } from "./buttons.js";
import { el } from "./dom.js";
import { icon } from "./icons.js";

const shownMs = 5_000;
const noticesMax = 3;
/** The number of announcements kept for screen readers. Removing one too early would cut it off. */
const spokenMax = 3;

export function createNotices(container, announcer) {
  function speak(text) {
    announcer.append(el("p", { dir: "auto" }, text));
    while (announcer.children.length > spokenMax) announcer.firstElementChild.remove();
  }

  /** @param stays whether the notice stays until it is dismissed */
  function show(text, { isWarning = false, stays = isWarning } = {}) {
    const notice = el(
      "div",
      { class: isWarning ? "notice notice-warning" : "notice", role: isWarning ? "alert" : null, data: { stays } },
      isWarning && icon("alert"),
      el("p", { dir: "auto" }, text),
      iconButton("Dismiss", "close", () => notice.remove()),
    );
    container.append(notice);
    while (container.children.length > noticesMax) container.firstElementChild.remove();
    if (!stays) setTimeout(() => notice.remove(), shownMs);
  }

  return {
    tell(text) {
      // A new notice replaces the previous one, except for warnings and reminders.
      for (const notice of container.querySelectorAll("[data-stays=false]")) notice.remove();
      show(text);
      speak(text);
    },
    /** Shows an important notice that stays until it is dismissed. */
    remind(text) {
      show(text, { stays: true });
      speak(text);
    },
    warn: (text) => show(text, { isWarning: true }),
    /** Removes all notices before a new attempt. */
    clear: () => container.replaceChildren(),
    /** Announces a text only to screen readers. The page shows it elsewhere. */
    announce: speak,
  };
}
