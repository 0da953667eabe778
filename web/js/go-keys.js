// The keys of a dialog with a search field above a list of entries. The entry that Enter in the field chooses is marked.

let count = 0;

/**
 * @param content the node that contains the field and the lists
 * @param input the search field, before the lists
 * @param lists the nodes with the entries
 * @returns mark: marks the first entry. Called after each change of the lists
 */
export function createGoKeys(content, input, lists) {
  const id = `go-first-${++count}`;
  const entries = () => lists.flatMap((list) => [...list.children]);
  lists.forEach((list, at) => (list.id = `${id}-list-${at}`));
  input.setAttribute("aria-controls", lists.map((list) => list.id).join(" "));
  content.addEventListener("keydown", move);
  return { mark };

  function mark() {
    const all = entries();
    for (const entry of all) entry.removeAttribute("id");
    all.forEach((entry, at) => entry.classList.toggle("is-first", at === 0));
    if (all.length === 0) return input.removeAttribute("aria-activedescendant");
    all[0].id = id;
    input.setAttribute("aria-activedescendant", id);
  }

  /** Moves by the arrow keys. In the field, the first entry is the current one. */
  function move(event) {
    const all = entries();
    if (event.key === "Enter" && event.target === input) {
      event.preventDefault();
      all[0]?.click();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.max(0, all.indexOf(document.activeElement)) + step;
    (next > 0 && next < all.length ? all[next] : input).focus();
  }
}
