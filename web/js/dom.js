// Building and keeping DOM nodes. Text only ever becomes text nodes: nothing here parses HTML.

/**
 * Makes an element. `on` holds listeners, `data` the data-attributes; `true` sets an attribute, `false` and null leave
 * it out.
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (name === "data") {
      for (const [key, item] of Object.entries(value)) node.dataset[key] = item;
    } else {
      node.setAttribute(name, value === true ? "" : value);
    }
  }
  node.append(...nodes(children));
  return node;
}

/** Replaces what a parent holds. */
export function fill(parent, ...children) {
  parent.replaceChildren(...nodes(children));
}

/** A parent's children, but only rebuilt when the stamp is another one than last time. Returns whether it was. */
export function fillWhenChanged(parent, stamp, build) {
  if (stamps.get(parent) === stamp) return false;
  stamps.set(parent, stamp);
  keepingFocus(parent, () => fill(parent, build()));
  return true;
}

/**
 * Makes a parent's children follow a list, and keeps the nodes of items that did not change, so that focus,
 * selection and a reader's place survive an update.
 *
 * @param key identity of an item
 * @param stamp what the node shows; a node with another stamp is built again
 * @param update called for each kept or built node, to reconcile what is inside it
 */
export function reconcile(parent, items, { key, stamp = () => "", build, update = () => {} }) {
  const present = new Map();
  for (const node of parent.children) present.set(keys.get(node), node);
  const kept = new Set();
  keepingFocus(parent, () => {
    let cursor = parent.firstElementChild;
    for (const item of items) {
      const itemKey = String(key(item));
      const itemStamp = stamp(item);
      let node = present.get(itemKey);
      if (node && stamps.get(node) !== itemStamp) {
        const fresh = build(item);
        node.replaceWith(fresh);
        if (cursor === node) cursor = fresh;
        node = fresh;
      }
      node ??= build(item);
      keys.set(node, itemKey);
      stamps.set(node, itemStamp);
      if (node === cursor) cursor = cursor.nextElementSibling;
      else parent.insertBefore(node, cursor);
      update(node, item);
      kept.add(node);
    }
    for (const node of Array.from(parent.children)) if (!kept.has(node)) node.remove();
  });
}

const keys = new WeakMap();
const stamps = new WeakMap();

/**
 * Lets what has the same `data-focus` take the focus again when what had it was built anew, and the region around it when
 * that is gone.
 */
function keepingFocus(parent, change) {
  const isHere = parent.contains(document.activeElement);
  const held = document.activeElement?.dataset.focus;
  change();
  if (!isHere || parent.contains(document.activeElement)) return;
  const again = [...parent.querySelectorAll("[data-focus]")].find((node) => node.dataset.focus === held);
  (again ?? parent.closest('[tabindex="-1"]'))?.focus({ preventScroll: true });
}

function nodes(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}
