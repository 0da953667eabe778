// Short messages at the foot of the page. They are read out as well, and go by themselves unless they are warnings.

import { iconButton } from "./buttons.js";
import { el } from "./dom.js";
import { icon } from "./icons.js";

const shownMs = 5_000;
const noticesMax = 3;
/** What is read out is kept for a moment: words that come in quick succession would else cut each other off. */
const spokenMax = 3;

export function createNotices(container, announcer) {
  function speak(text) {
    announcer.append(el("p", {}, text));
    while (announcer.children.length > spokenMax) announcer.firstElementChild.remove();
  }

  function show(text, isWarning) {
    const notice = el(
      "div",
      { class: isWarning ? "notice notice-warning" : "notice", role: isWarning ? "alert" : null },
      isWarning && icon("alert"),
      el("p", {}, text),
      iconButton("Dismiss", "close", () => notice.remove()),
    );
    container.append(notice);
    while (container.children.length > noticesMax) container.firstElementChild.remove();
    if (!isWarning) setTimeout(() => notice.remove(), shownMs);
  }

  return {
    tell(text) {
      // The last word counts; warnings stay until they have been read.
      for (const notice of container.querySelectorAll(".notice:not(.notice-warning)")) notice.remove();
      show(text, false);
      speak(text);
    },
    warn: (text) => show(text, true),
    /** Takes away what was said before a new attempt. */
    clear: () => container.replaceChildren(),
    /** Read out only: the page shows it elsewhere. */
    announce: speak,
  };
}
