// Short messages below the page, the newest at the bottom. They take room of their own and cover nothing. At most three are shown at a
// time; a line tells how many earlier ones there are. Screen readers announce them too. Warnings and reminders stay until the user
// dismisses them or starts a sync. A warning about the shown place disappears when the user leaves the place. Other notices disappear
// after a few seconds, but not while the user reads them. A notice about a subject, such as an object, replaces the earlier one.

import { button, iconButton } from "./buttons.js";
import { el } from "./dom.js";
import { icon } from "./icons.js";
import { plural, t } from "./texts.js";

const shownMs = 5_000;
const shownMax = 3;
/** The maximum number of notices. The oldest ones are removed first. */
const keptMax = 20;
/** The maximum number of announcements that stay in the page. A screen reader may still be reading the latest ones. */
const spokenMax = 3;

/** The subject of notices about a class, an object or a field, by their names and ids. */
export const subjectOf = (...parts) => JSON.stringify(parts);

export function createNotices(container, announcer) {
  const earlier = el("span");
  const showButton = button(t("Show them"), () => expand(), { className: "button-small button-quiet" });
  const more = el(
    "div",
    { class: "notices-more" },
    earlier,
    showButton,
    button(t("Dismiss all"), () => remove(all()), { className: "button-small button-quiet" }),
  );
  let isExpanded = false;
  let count = 0;
  const all = () => [...container.querySelectorAll(".notice")];

  // In a narrow window, the pane of an object is above the page, but not above the notices.
  new ResizeObserver(() => document.documentElement.style.setProperty("--notices-height", `${container.offsetHeight}px`)).observe(container);

  function speak(text) {
    announcer.append(el("p", { dir: "auto" }, text));
    while (announcer.children.length > spokenMax) announcer.firstElementChild.remove();
  }

  /** Hides the notices before the latest ones, unless the user wants to see them. */
  function arrange() {
    const notices = all();
    if (notices.length <= shownMax) isExpanded = false;
    const hidden = isExpanded ? 0 : Math.max(0, notices.length - shownMax);
    notices.forEach((notice, at) => (notice.hidden = at < hidden));
    earlier.textContent = plural("{count} earlier notice", "{count} earlier notices", { count: hidden });
    earlier.hidden = hidden === 0;
    showButton.hidden = hidden === 0;
    more.hidden = notices.length <= shownMax;
    container.hidden = notices.length === 0;
  }

  function expand() {
    isExpanded = true;
    arrange();
    container.querySelector(".notice button").focus();
  }

  /** Removes notices. The focus on one of them moves to the next notice, or to the list. */
  function remove(notices) {
    const hadFocus = container.contains(document.activeElement);
    for (const notice of notices) notice.remove();
    arrange();
    // A hidden button keeps the focus until the browser draws the page.
    const held = document.activeElement;
    if (!hadFocus || (container.contains(held) && held.checkVisibility())) return;
    const next = container.querySelector(".notice:not([hidden]) button") ?? document.getElementById("main");
    next.focus({ preventScroll: true });
  }

  /**
   * @param stays whether the notice stays until the user dismisses it
   * @param isHere whether the notice disappears when the user leaves the shown place
   * @param about the subject of the notice, see `subjectOf`; null for none
   */
  function show(text, { isWarning = false, stays = isWarning, isHere = false, about = null } = {}) {
    // A repeated notice replaces the earlier one.
    remove(all().filter((notice) => notice.querySelector("p").textContent === text));
    settle(about);
    const id = `notice-${++count}`;
    const dismissal = iconButton(t("Dismiss"), "close", () => remove([notice]));
    dismissal.id = `${id}-dismiss`;
    dismissal.setAttribute("aria-labelledby", `${dismissal.id} ${id}`);
    const notice = el(
      "div",
      { class: isWarning ? "notice notice-warning" : "notice", role: isWarning ? "alert" : null, data: { stays, isHere, about: about ?? "" } },
      isWarning && icon("alert"),
      el("p", { id, dir: "auto" }, text),
      dismissal,
    );
    if (!more.isConnected) container.append(more);
    container.append(notice);
    remove(all().slice(0, -keptMax));
    if (!stays) removeSoon(notice);
  }

  function removeSoon(notice) {
    setTimeout(() => (notice.matches(":hover, :focus-within") ? removeSoon(notice) : remove([notice])), shownMs);
  }

  /** Removes the notices about a subject, because they are outdated. */
  function settle(about) {
    if (about !== null) remove(all().filter(({ dataset }) => dataset.about === about));
  }

  /** Removes the notices about earlier actions, except warnings and reminders. */
  const dropPassing = () => remove(all().filter(({ dataset }) => dataset.stays === "false"));

  return {
    tell(text, { about = null } = {}) {
      dropPassing();
      show(text, { about });
      speak(text);
    },
    settle,
    dropPassing,
    /** Shows an important notice, which stays until the user dismisses it. */
    remind(text) {
      show(text, { stays: true });
      speak(text);
    },
    warn: (text, { about = null } = {}) => show(text, { isWarning: true, about }),
    /** Shows a warning about the shown place. */
    warnHere: (text, { about = null } = {}) => show(text, { isWarning: true, isHere: true, about }),
    /** Removes the warnings about the place that the user leaves. */
    leavePlace: () => remove(all().filter(({ dataset }) => dataset.isHere === "true")),
    /** Removes all notices. Called when the user starts a sync. */
    clear: () => remove(all()),
    /** Announces a text to screen readers only. The page shows the text in another place. */
    announce: speak,
  };
}
