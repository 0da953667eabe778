// The tabs: links to the classes. The page's address names the shown class.

import { iconButton, visuallyHidden } from "./buttons.js";
import { el, fill, reconcile } from "./dom.js";
import { presentationOf, shownClasses } from "./presentations.js";
import { mayOperate } from "./users.js";

function addressOf(className) {
  return `#/${encodeURIComponent(className ?? "")}`;
}

/**
 * The class and the object that the fragment of an address names: {className, objectId}, as in `#/Boat/xO5TCC3Ntj`.
 * `className` is null if the address names no class, `objectId` if it names no object. Undefined for an anchor such as
 * `#main`.
 */
export function placeInAddress(hash) {
  const nowhere = { className: null, objectId: null };
  if (!hash.startsWith("#/")) return hash === "" ? nowhere : undefined;
  try {
    const [className, ...rest] = hash.slice(2).split("/").map(decodeURIComponent);
    const objectId = rest.join("/");
    // Only a plain class name is accepted, because a link on another site can contain any text.
    if (!/^[A-Za-z_]\w*$/.test(className)) return nowhere;
    return { className, objectId: objectId === "" ? null : objectId };
  } catch {
    return nowhere;
  }
}

/**
 * Removes the object from the page's address, if the address still names the object, and keeps the class in it. The browser
 * sends no event about this change.
 */
export function leaveObject({ className, objectId }) {
  const place = placeInAddress(location.hash);
  if (place?.className !== className || place.objectId !== objectId) return;
  history.replaceState(history.state, "", addressOf(className));
}

/** @param addClass opens the form that adds a class */
export function showTabs(container, state, { addClass }) {
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
      build: (className) => tab(className, className === values.className, counts.get(className)),
    });
    addButton.hidden = !mayOperate(values);
    const now = JSON.stringify([values.className, shownClasses(values)]);
    if (seen !== now) scrollToCurrent(list);
    seen = now;
  });
}

/** Shows a class by changing the page's address; null shows the first class. */
export function goTo(className) {
  const address = addressOf(className);
  // The browser sends no event if the address stays the same. The address `#/` means the first class, which may be another one
  // now.
  if (location.hash === address) window.dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = address;
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
    count !== undefined && el("span", { class: "tab-count" }, visuallyHidden(", "), String(count), visuallyHidden(" objects")),
  );
}
