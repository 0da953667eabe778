// Where an object stands with the remote, in a word and a sign. What needs a decision is a button that leads to it.

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { badgeOf } from "./sync-words.js";

/** @param onDecide called for a refused change or a conflict */
export function syncBadge(state, objectId, onDecide) {
  const { words, icon: sign } = badgeOf(state);
  const content = [icon(sign), el("span", {}, words)];
  if (state !== "rejected" && state !== "conflict") return el("span", { class: `badge badge-${state}` }, content);
  return el(
    "button",
    { class: `badge badge-${state}`, type: "button", data: { focus: `badge ${objectId}` }, on: { click: onDecide } },
    content,
    el("span", { class: "visually-hidden" }, ", show what can be done"),
  );
}
