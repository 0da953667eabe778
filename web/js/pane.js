// The pane of one object, beside the list. In a window that is narrower than 1000 px, the pane covers the page. At most one pane
// is open.

import { iconButton } from "./buttons.js";
import { isFocusLost } from "./dialog.js";
import { el } from "./dom.js";
import { paneSeparator } from "./pane-width.js";
import { t } from "./texts.js";

/** The windows in which the pane covers the page, as in pane.css. */
const narrow = window.matchMedia("(max-width: 62.49rem)");
/** The parts of the page that a pane covers. */
const covered = "#skip-link, .masthead, #sidebar, #main, #sync-panel";
let count = 0;
/** The open pane; null if none is open. */
let current = null;

/**
 * Shows the pane of an object, in place of the pane of another object.
 *
 * @param tools buttons beside the title. If one of them has the focus, the button of the new pane with this `data-focus` gets it
 * @param mayClose resolves to whether Escape and the close button may close the pane
 * @param takesFocus whether the content of the pane is to get the focus, also if the focus was not in the pane of another object
 * @param returnFocus moves the focus to the list. Called when the pane closes with the focus in it
 * @returns {node, close, leave, takesFocus, held, onClose}: `takesFocus` is whether the content is to get the focus now; `held` is the
 *   control that had the focus in the pane of before, null if none had it
 */
export function openPane({ title, content, className = "", tools = [], mayClose = async () => true, takesFocus = true, returnFocus }) {
  const titleId = `pane-title-${++count}`;
  const before = current;
  const held = document.activeElement;
  const hadFocus = before?.node.contains(held) === true;
  const tool = hadFocus ? held.dataset.focus : undefined;
  const listeners = [];
  const leave = async () => {
    const isClosing = await mayClose();
    if (isClosing) close();
    return isClosing;
  };
  const node = el(
    "section",
    { class: `object-pane ${className}`.trim(), "aria-labelledby": titleId, tabindex: "-1", on: { keydown: press } },
    paneSeparator(() => node),
    el(
      "header",
      { class: "dialog-head" },
      el("h2", { class: "dialog-title", id: titleId, dir: "auto" }, title),
      el("div", { class: "pane-tools" }, tools, iconButton(t("Close"), "close", leave, { title: t("Close (Escape)"), focus: "close pane" })),
    ),
    content,
  );
  const end = () => listeners.forEach((listener) => listener());
  const pane = { node, end, close, last: null };
  node.addEventListener("focusin", ({ target }) => (pane.last = target));
  current = pane;
  if (before) before.node.replaceWith(node);
  else document.getElementById("page").append(node);
  before?.end();
  cover();
  const again = tool && [...node.querySelectorAll("[data-focus]")].find(({ dataset }) => dataset.focus === tool);
  again?.focus();
  return { node, close, leave, takesFocus: (takesFocus || hadFocus) && !again, held: hadFocus ? held : null, onClose: (listener) => listeners.push(listener) };

  function press(event) {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    leave();
  }

  function close() {
    if (current !== pane) return;
    const hadFocus = node.contains(document.activeElement);
    current = null;
    node.remove();
    cover();
    end();
    if (hadFocus || isFocusLost()) returnFocus();
  }
}

export function isPaneOpen() {
  return current !== null;
}

/** Whether the pane covers the page. */
export function isCovering() {
  return current !== null && narrow.matches;
}

/** Closes the open pane without a question. */
export function closePane() {
  current?.close();
}

/**
 * Moves the focus from the list to the control of the pane that had it last, or from the pane to the list. Does nothing if no pane is
 * open, or if the pane covers the list. Returns whether it has moved the focus.
 *
 * @param focusList moves the focus to the list
 */
export function switchPane(focusList) {
  if (current === null || narrow.matches) return false;
  if (current.node.contains(document.activeElement)) focusList();
  else focusPane();
  return true;
}

/** Moves the focus to the control of the open pane that had it last, or to the first one. */
export function focusPane() {
  const { node } = current;
  const control = (selector) => node.querySelector(`.form-rows :is(${selector}):not(:disabled)`);
  const last = node.contains(current.last) ? current.last : null;
  (last ?? control("input, select, textarea") ?? control("a, button, summary") ?? node).focus();
}

/** Makes the covered parts of the page unreachable while the pane is over them. */
function cover() {
  document.body.classList.toggle("has-pane", current !== null);
  for (const part of document.querySelectorAll(covered)) part.inert = current !== null && narrow.matches;
}

narrow.addEventListener("change", cover);
