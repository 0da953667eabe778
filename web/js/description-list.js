// A description list of label and value pairs.

import { el } from "./dom.js";

/** @param rows [[label, text or node]] */
export function descriptionList(rows) {
  const row = ([term, value]) => el("div", {}, el("dt", {}, term), el("dd", {}, value));
  return el("dl", { class: "panel-values" }, rows.map(row));
}
