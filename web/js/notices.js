// Short messages at the foot of the page. They are read out as well; warnings and reminders stay, others go
// by themselves.

import { iconButton } from "./buttons.js";
import { el } from "./dom.js";
import { icon } from "./icons.js";

const shownMs = 5_000;
const noticesMax = 3;
/** What is read out is kept for a moment: words that come in quick succession would else cut each other off. */
const spokenMax = 3;

export function createNotices(container, announcer) {
  function speak(text) {
    announcer.append(el("p", { dir: "auto" }, text));
    while (announcer.children.length > spokenMax) announcer.firstElementChild.remove();
  }

  /** @param stays whether it is there until it is dismissed */
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
      // The last word counts, beside what stays.
      for (const notice of container.querySelectorAll("[data-stays=false]")) notice.remove();
      show(text);
      speak(text);
    },
    /** Says what must not be missed, though nothing is wrong. */
    remind(text) {
      show(text, { stays: true });
      speak(text);
    },
    warn: (text) => show(text, { isWarning: true }),
    /** Takes away what was said before a new attempt. */
    clear: () => container.replaceChildren(),
    /** Read out only: the page shows it elsewhere. */
    announce: speak,
  };
}
