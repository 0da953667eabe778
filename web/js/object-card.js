// The card of an object, shown while a link to the object has the pointer, the focus, or the cursor of a table: the caption, the class
// and a few fields.

import { agoText } from "./dates.js";
import { el, fill } from "./dom.js";
import { commonFields, inOrder } from "./field-types.js";
import { isPointer, pointerLabel } from "./pointer-link.js";
import { excerpt, userFields, valueNode, valueText } from "./values.js";

/** The maximum number of fields on a card, and of characters of a value. */
const fieldsMax = 6;
const valueMax = 120;
/** The pauses in milliseconds before the card opens and closes. */
const openMs = 350;
const closeMs = 200;
const gap = 6;

/**
 * @param hasNone `(className)`: whether the page knows that no object of a class is here
 * @param read `(className, objectId)`: resolves to the object
 * @param captionOf `(className, object)`: the caption of an object, or null
 * @param whyMissing `(className)`: {why}, the reason why an object is not here
 */
export function showObjectCards(root, { hasNone, read, captionOf, whyMissing }) {
  const card = el("div", { class: "object-card", id: "object-card", role: "tooltip", hidden: true });
  let link = null;
  let timer = null;

  const linkOf = (target) => target instanceof Element && target.closest("a[data-pointer-id]");

  function enter({ target }) {
    if (card.contains(target)) return clearTimeout(timer);
    const entered = linkOf(target);
    if (!entered || entered === link) return entered && clearTimeout(timer);
    clearTimeout(timer);
    timer = setTimeout(() => open(entered), openMs);
  }

  function leave({ target, relatedTarget }) {
    if (!linkOf(target) && !card.contains(target)) return;
    const isInside = relatedTarget instanceof Element && (card.contains(relatedTarget) || (link !== null && link.contains(relatedTarget)));
    if (isInside) return;
    clearTimeout(timer);
    timer = setTimeout(close, closeMs);
  }

  async function open(entered) {
    close();
    link = entered;
    const { pointerClass, pointerId } = entered.dataset;
    const content = await contentOf(pointerClass, pointerId);
    // The pointer may have moved on during the read, and a redraw may have replaced the link.
    if (link !== entered || !entered.isConnected) return;
    fill(card, content);
    // A modal dialog covers everything outside of it.
    (entered.closest("dialog") ?? root).append(card);
    card.hidden = false;
    entered.setAttribute("aria-describedby", card.id);
    place(card, entered.getBoundingClientRect());
  }

  function close() {
    link?.removeAttribute("aria-describedby");
    link = null;
    card.hidden = true;
    card.remove();
  }

  async function contentOf(className, objectId) {
    const head = (words) => el("p", { class: "card-title", dir: "auto" }, words);
    const kind = el("p", { class: "card-class" }, className, " ", el("span", { class: "value-id" }, objectId));
    if (hasNone(className)) return [kind, el("p", {}, whyMissing(className).why)];
    try {
      const object = await read(className, objectId);
      return [head(captionOf(className, object) ?? objectId), kind, fieldsOf(object)];
    } catch (error) {
      return [kind, el("p", {}, error.isGone ? whyMissing(className).why : error.message)];
    }
  }

  for (const type of ["pointerover", "focusin", "cursorin"]) root.addEventListener(type, enter);
  for (const type of ["pointerout", "focusout", "cursorout"]) root.addEventListener(type, leave);
  root.addEventListener("click", close);
  window.addEventListener("scroll", close, { capture: true, passive: true });
  window.addEventListener("keydown", (event) => {
    clearTimeout(timer);
    if (event.key !== "Escape" || card.hidden) return;
    // Escape closes only the card, not the dialog around it.
    event.preventDefault();
    event.stopPropagation();
    close();
  }, { capture: true });
}

function fieldsOf(object) {
  const fields = userFields(object);
  const names = inOrder(Object.keys(fields)).filter((name) => !commonFields.includes(name) && fields[name]?.__type !== "Relation");
  const row = (term, words) => el("div", {}, el("dt", {}, term), el("dd", { dir: "auto" }, words));
  return el(
    "dl",
    { class: "card-fields" },
    names.slice(0, fieldsMax).map((name) => row(name, shortNode(fields[name]))),
    object.updatedAt && row("updatedAt", agoText(object.updatedAt)),
  );
}

/** A value on a card: an object by its caption, a time in the time zone of the browser with UTC beside it, anything else as text. */
function shortNode(value) {
  if (isPointer(value)) return pointerLabel(value);
  return value?.__type === "Date" ? valueNode(value) : excerpt(valueText(value), valueMax);
}

/** Places the card below a link, or above it if there is more space. */
function place(card, rect) {
  const { offsetWidth: width, offsetHeight: height } = card;
  const isBelow = rect.bottom + gap + height <= window.innerHeight || rect.top < height + gap;
  const left = Math.max(gap, Math.min(rect.left, window.innerWidth - width - gap));
  card.style.left = `${left}px`;
  card.style.top = `${isBelow ? rect.bottom + gap : rect.top - height - gap}px`;
}
