// The tabs: links to the classes. The page's address names the shown class.

import { writeAddress } from "./address.js";
import { iconButton, visuallyHidden } from "./buttons.js";
import { el, fill, reconcile } from "./dom.js";
import { presentationOf, shownClasses } from "./presentations.js";
import { mayOperate } from "./users.js";

/**
 * @param addClass opens the form that adds a class
 * @param goTo shows a class
 */
export function showTabs(container, state, { addClass, goTo }) {
  const list = el("div", { class: "tab-list" });
  const addButton = iconButton("Add class", "plus", addClass, { title: "Add class" });
  fill(container, list, addButton);
  let seen = "";
  // Other parts of the header are drawn later, and take space from the tabs.
  new ResizeObserver(() => scrollToCurrent(list)).observe(list);
  state.show((values) => {
    const counts = new Map((values.status?.classes ?? []).map(({ name, objects }) => [name, objects]));
    reconcile(list, shownClasses(values), {
      key: (className) => className,
      stamp: (className) => `${className === values.className} ${counts.get(className)}`,
      build: (className) => tab(className, className === values.className, counts.get(className), goTo),
    });
    addButton.hidden = !mayOperate(values);
    const now = JSON.stringify([values.className, shownClasses(values)]);
    if (seen !== now) scrollToCurrent(list);
    seen = now;
  });
}

/** Scrolls the tabs sideways, so that the current tab is visible. */
function scrollToCurrent(container) {
  const current = container.querySelector("[aria-current]");
  if (!current) return;
  const left = current.offsetLeft - container.offsetLeft;
  const right = left + current.offsetWidth;
  if (left < container.scrollLeft) container.scrollLeft = left;
  else if (right > container.scrollLeft + container.clientWidth) container.scrollLeft = right - container.clientWidth;
}

function tab(className, isCurrent, count, goTo) {
  return el(
    "a",
    {
      class: "tab",
      href: writeAddress({ className }),
      "aria-current": isCurrent ? "page" : null,
      data: { focus: `tab ${className}` },
      on: { click: (event) => isPlainClick(event) && (event.preventDefault(), goTo(className)) },
    },
    presentationOf(className).title,
    count !== undefined && el("span", { class: "tab-count" }, visuallyHidden(", "), String(count), visuallyHidden(" objects")),
  );
}

/** Whether a click opens a link in the same tab. */
function isPlainClick({ button, ctrlKey, metaKey, shiftKey, altKey }) {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}
