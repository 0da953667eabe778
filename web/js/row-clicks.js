// Clicks and touches on the rows and entries of a list, beside their buttons and links. With a mouse, a click moves an open pane to
// the object. On a touch screen, a tap opens the object, and a long press selects it; while objects are selected, a tap selects.

/** The time in milliseconds after which a touch is a long press, and the distance in CSS pixels from which it is a scroll. */
const longPressMs = 500;
const scrollFrom = 10;
const coarse = window.matchMedia("(pointer: coarse)");

/** @param actions {follow, open, toggle, isSelecting}: each but `isSelecting` is called with the id of the object */
export function followClicks(container, { follow, open, toggle, isSelecting }) {
  /** The touch that may become a long press: {x, y, timer}. */
  let touch = null;
  /** Whether the next click is the end of a long press. */
  let isPressed = false;

  container.addEventListener("click", (event) => {
    if (isPressed) {
      isPressed = false;
      event.stopPropagation();
      return event.preventDefault();
    }
  }, { capture: true });
  container.addEventListener("click", (event) => {
    const { button, shiftKey, ctrlKey, metaKey, altKey } = event;
    const entry = entryOf(event.target);
    if (event.defaultPrevented || button !== 0 || shiftKey || ctrlKey || metaKey || altKey || entry === null) return;
    const { object } = entry.dataset;
    if (!isTouch(event)) return follow(object);
    if (isSelecting()) toggle(object);
    else open(object);
  });
  container.addEventListener("pointerdown", (event) => {
    end();
    isPressed = false;
    const row = entryOf(event.target);
    if (event.pointerType !== "touch" || !event.isPrimary || row?.localName !== "tr") return;
    const timer = setTimeout(() => {
      end();
      isPressed = true;

      toggle(row.dataset.object);
    }, longPressMs);
    touch = { x: event.clientX, y: event.clientY, timer };
  });
  container.addEventListener("pointermove", ({ clientX, clientY }) => {
    if (touch !== null && Math.hypot(clientX - touch.x, clientY - touch.y) > scrollFrom) end();
  });
  for (const type of ["pointerup", "pointercancel"]) container.addEventListener(type, end);
  // The browser's menu of a long press would cover the selection.
  container.addEventListener("contextmenu", (event) => {
    if (isPressed || touch !== null) event.preventDefault();
  });

  function end() {
    clearTimeout(touch?.timer);
    touch = null;
  }
}

/** The row or entry that was clicked; null beside the rows and on their controls. */
function entryOf(target) {
  return target.closest?.("a, button, input, select, textarea, label, .cell-select") ? null : (target.closest?.("[data-object]") ?? null);
}

/** Whether a click comes from a touch screen. A screen reader's click has no type of pointer. */
function isTouch({ pointerType }) {
  return pointerType === "touch" || (pointerType !== "mouse" && coarse.matches);
}
