// The section "Objects that point here" of an object's form: the number of objects for each pointer field, with a link to them.

import { writeAddress } from "./address.js";
import { el, fill } from "./dom.js";
import { counted, t } from "./texts.js";

/**
 * @param referencesTo resolves to the fields that point to an object: [{className, field, count, where}]
 * @param showFiltered `(className, where)`: shows the list of a class with a filter
 */
export function referenceSection(object, { referencesTo, showFiltered }) {
  const list = el("ul", { class: "references" });
  const node = el("details", { class: "form-more references-section" }, el("summary", {}, t("Objects that point here")), list);
  node.addEventListener("toggle", () => node.open && load());
  return node;

  async function load() {
    fill(list, el("li", { class: "hint", role: "status" }, t("Counting …")));
    try {
      const found = await referencesTo(object);
      fill(list, found.map(entry), found.length === 0 && el("li", { class: "hint" }, t("No field of the known classes points to {className}.", { className: object.className })));
    } catch (error) {
      fill(list, el("li", { class: "field-problem" }, error.message));
    }
  }

  function entry({ className, field, count, where }) {
    const words = `${className}, ${field}`;
    const amount = counted(count, "object");
    if (count === 0) return el("li", {}, el("span", {}, words), el("span", { class: "hint" }, amount));
    const click = (event) => {
      // A click with a key opens the address in another tab.
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      showFiltered(className, where);
    };
    return el("li", {}, el("a", { href: writeAddress({ className, where }), on: { click } }, t("Show {amount} of {words}", { amount, words })));
  }
}
