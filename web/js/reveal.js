// Brings an object's entry into sight and marks it for a moment.

/**
 * @param takesFocus true where the reader asked to go there, or where the focus has lost its place
 * @returns whether it is there
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
