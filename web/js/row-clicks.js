// Clicks on the rows and entries of a list, beside their buttons and links.

/** @param follow `(objectId)`: called with the id of the object whose row was clicked */
export function followClicks(container, follow) {
  container.addEventListener("click", (event) => {
    const { target, button, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (event.defaultPrevented || button !== 0 || shiftKey || ctrlKey || metaKey || altKey) return;
    const entry = target.closest?.("[data-object]");
    if (!entry || target.closest("a, button, input, select, textarea, label")) return;
    follow(entry.dataset.object);
  });
}
