// The classes to choose from, as links: the address of the page names the class that is shown.

import { iconButton, unseen } from "./buttons.js";
import { el, fill, reconcile } from "./dom.js";
import { presentationOf, shownClasses } from "./presentations.js";

function addressOf(className) {
  return `#/${encodeURIComponent(className ?? "")}`;
}

/** The class that an address names: null where it leaves the choice to the page, undefined where it is about something else. */
export function classIn(hash) {
  if (!hash.startsWith("#/")) return hash === "" ? null : undefined;
  try {
    const name = decodeURIComponent(hash.slice(2));
    // Other sites may lead to any address: it names a class, and holds no path, conditions or orders.
    return /^[A-Za-z_]\w*$/.test(name) ? name : null;
  } catch {
    return null;
  }
}

/** @param addClass asks for another class to keep */
export function showTabs(container, state, { addClass }) {
  const list = el("div", { class: "tab-list" });
  const addButton = iconButton("Another class", "plus", addClass, { title: "Another class" });
  fill(container, list, addButton);
  let seen = "";
  state.show((values) => {
    const counts = new Map((values.status?.classes ?? []).map(({ name, objects }) => [name, objects]));
    reconcile(list, shownClasses(values), {
      key: (className) => className,
      stamp: (className) => `${className === values.className} ${counts.get(className)}`,
      build: (className) => tab(className, className === values.className, counts.get(className)),
    });
    const now = JSON.stringify([values.className, shownClasses(values)]);
    if (seen !== now) bringIntoSight(list);
    seen = now;
  });
}

/** Shows a class, by the address; null for the first one. */
export function goTo(className) {
  const address = addressOf(className);
  // The first class may be another one by now.
  if (location.hash === address) window.dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = address;
}

/** Where the tabs are wider than the page, moves them sideways until the current one is seen. */
function bringIntoSight(container) {
  const current = container.querySelector("[aria-current]");
  if (!current) return;
  const left = current.offsetLeft - container.offsetLeft;
  const right = left + current.offsetWidth;
  if (left < container.scrollLeft) container.scrollLeft = left;
  else if (right > container.scrollLeft + container.clientWidth) container.scrollLeft = right - container.clientWidth;
}

function tab(className, isCurrent, count) {
  return el(
    "a",
    {
      class: "tab",
      href: addressOf(className),
      "aria-current": isCurrent ? "page" : null,
      data: { focus: `tab ${className}` },
    },
    presentationOf(className).title,
    count !== undefined && el("span", { class: "tab-count" }, unseen(", "), String(count), unseen(" objects")),
  );
}
