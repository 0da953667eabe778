// Scrolls to an object's entry and highlights it briefly.

/**
 * @param takesFocus whether to move the focus to the entry, or to the main view if there is no entry
 * @returns whether the shown list contains an entry of the object
 */
export function reveal(objectId, takesFocus) {
  const entry = [...document.querySelectorAll("#main [data-object]")].find((node) => node.dataset.object === objectId);
  if (!entry) {
    if (takesFocus) document.getElementById("main").focus({ preventScroll: true });
    return false;
  }
  entry.scrollIntoView({ block: "center" });
  entry.classList.add("is-revealed");
  entry.addEventListener("animationend", () => entry.classList.remove("is-revealed"), { once: true });
  if (takesFocus) entry.focus({ preventScroll: true });
  return true;
}
