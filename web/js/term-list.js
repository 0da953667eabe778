// Terms and what they mean, as a list of pairs.

import { el } from "./dom.js";

/** @param rows [[term, text or node]] */
export function termList(rows) {
  const row = ([term, value]) => el("div", {}, el("dt", {}, term), el("dd", {}, value));
  return el("dl", { class: "panel-values" }, rows.map(row));
}
