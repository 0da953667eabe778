// Functions that create and update DOM nodes. Texts become text nodes, never HTML.

/**
 * Creates an element. `on` holds event listeners, and `data` holds data attributes. The value `true` sets an attribute without
 * a value. The values `false`, null and undefined leave the attribute out.
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

/** Replaces the children of a node. */
export function fill(parent, ...children) {
  parent.replaceChildren(...nodes(children));
}

/**
 * Rebuilds the children of a node if `stamp` differs from the stamp of the previous call. Returns whether they were rebuilt.
 */
export function fillWhenChanged(parent, stamp, build) {
  if (stamps.get(parent) === stamp) return false;
  stamps.set(parent, stamp);
  preservingFocus(parent, () => fill(parent, build()));
  return true;
}

/**
 * Updates the children of a node to match a list of items. A node is reused while its item's stamp is unchanged. A reused node
 * keeps focus, selection and scroll position.
 *
 * @param key returns the id of an item
 * @param stamp returns a text for an item; when this text changes, `build` builds a new node for the item
 * @param update called with each node, reused or new, and its item; updates the contents of the node
 */
export function reconcile(parent, items, { key, stamp = () => "", build, update = () => {} }) {
  const present = new Map();
  for (const node of parent.children) present.set(keys.get(node), node);
  const kept = new Set();
  preservingFocus(parent, () => {
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
 * Keeps the focus inside `parent` while `change` runs. If `change` removes the focused node, the new node with an equal
 * `data-focus` gets the focus. Otherwise the new control with an equal label gets it: the object may have a new id, as after its
 * create was pushed. If no such node exists, the region around `parent` gets the focus.
 */
function preservingFocus(parent, change) {
  const held = document.activeElement;
  const isHere = parent.contains(held);
  const before = isHere ? new Set(parent.querySelectorAll("[data-focus]")) : null;
  change();
  if (!isHere || parent.contains(document.activeElement)) return;
  const controls = [...parent.querySelectorAll("[data-focus]")];
  const again =
    controls.find((node) => node.dataset.focus === held.dataset.focus) ??
    controls.find((node) => !before.has(node) && node.tagName === held.tagName && label(held) !== "" && label(node) === label(held));
  (again ?? parent.closest('[tabindex="-1"]'))?.focus({ preventScroll: true });
}

function label(node) {
  return node.getAttribute("aria-label") ?? node.textContent;
}

function nodes(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}
