// A pointer as a link to its object, or as the caption of its object. The text is the id, until the page knows the caption.

import { writeAddress } from "./address.js";
import { visuallyHidden } from "./buttons.js";
import { el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./texts.js";

/** The maximum number of pointers of a list that are shown as links. */
const linksMax = 20;
const marked = "[data-pointer-id]";

export function isPointer(value) {
  return value?.__type === "Pointer" && /^[A-Za-z_]\w*$/.test(value.className) && typeof value.objectId === "string" && value.objectId !== "";
}

/** A link to the object of a pointer. */
export function pointerLink(pointer) {
  const { className, objectId } = pointer;
  return el("a", { href: writeAddress({ className, objectId }), ...attributes(pointer) }, objectId);
}

/** The link "Open" to the object of a pointer, whose caption is shown beside it. */
export function openLink(pointer) {
  const { className, objectId } = pointer;
  return el("a", { class: "button button-small", href: writeAddress({ className, objectId }) }, t("Open"), visuallyHidden([" ", pointerLabel(pointer)]));
}

/** The same link as an icon, for a place without room for the word. */
export function openIcon(pointer) {
  const { className, objectId } = pointer;
  return el("a", { class: "icon-button icon-open", href: writeAddress({ className, objectId }), title: t("Open") }, visuallyHidden([t("Open"), " ", pointerLabel(pointer)]), icon("chevron"));
}

/** The caption of the object of a pointer, as text. */
export function pointerLabel(pointer) {
  return el("bdi", attributes(pointer), pointer.objectId);
}

/** Links to the objects of a list of pointers. */
export function pointerLinks(pointers) {
  const more = pointers.length > linksMax ? t(" and {count} more", { count: pointers.length - linksMax }) : "";
  return el("span", { class: "value-array" }, pointers.slice(0, linksMax).map((pointer, at) => [at > 0 && ", ", pointerLink(pointer)]), more);
}

function attributes({ className, objectId }) {
  return { class: "value-pointer", dir: "auto", title: `${className} ${objectId}`, data: { pointerClass: className, pointerId: objectId } };
}

/**
 * Writes the captions into all links and labels of pointers that are or will be on the page.
 *
 * @param captions the store of captions
 * @returns a function that writes the captions again after they were read or forgotten
 */
export function showCaptions(root, captions) {
  const paintAll = () => root.querySelectorAll(marked).forEach((node) => paint(node, captions));
  const added = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) {
        if (node.nodeType !== Node.ELEMENT_NODE) continue;
        if (node.matches(marked)) paint(node, captions);
        node.querySelectorAll(marked).forEach((inner) => paint(inner, captions));
      }
    }
  });
  added.observe(root, { childList: true, subtree: true });
  paintAll();
  return paintAll;
}

function paint(node, captions) {
  const { pointerClass, pointerId } = node.dataset;
  const caption = captions.of(pointerClass, pointerId);
  if (!caption) return;
  const stamp = caption.word ?? caption.text;
  if (node.dataset.caption === stamp) return;
  node.dataset.caption = stamp;
  node.classList.toggle("is-missing", caption.word !== undefined);
  node.title = caption.word ? `${pointerClass} ${pointerId}: ${caption.why}` : `${pointerClass} ${pointerId}`;
  if (caption.word) fill(node, pointerId, el("span", { class: "pointer-word" }, ` ${caption.word}`));
  else fill(node, caption.text);
}
