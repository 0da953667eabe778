// The lists of the master-key area.

import { visuallyHidden } from "./buttons.js";
import { el } from "./dom.js";

/** The words of a button, which screen readers complete by the name of the row. */
export function named(words, name) {
  return [words, visuallyHidden(` ${name}`)];
}

/** A row of a section: a title, a note below it, and buttons. */
export function ownerRow(title, note, buttons) {
  return el(
    "li",
    { class: "owner-row", data: { name: title } },
    el("div", { class: "owner-text" }, el("strong", { dir: "auto" }, title), note && el("p", { class: "hint", dir: "auto" }, note)),
    el("div", { class: "owner-buttons" }, buttons),
  );
}

/** The list of a section, or a sentence in place of an empty list. */
export function ownerList(rows, empty) {
  return rows.length === 0 ? el("p", { class: "hint" }, empty) : el("ul", { class: "owner-list" }, rows);
}
