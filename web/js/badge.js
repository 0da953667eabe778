// The badge that shows an object's sync state. For a rejected change or a conflict, the badge is a button that opens the details.

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { badgeOf } from "./sync-text.js";
import { t } from "./texts.js";

/** @param onDecide called when the user presses the badge of a rejected change or conflict */
export function syncBadge(state, objectId, onDecide) {
  const { words, icon: iconName } = badgeOf(state);
  const content = [icon(iconName), el("span", {}, words)];
  if (state !== "rejected" && state !== "conflict") return el("span", { class: `badge badge-${state}` }, content);
  return el(
    "button",
    { class: `badge badge-${state}`, type: "button", data: { focus: `badge ${objectId}` }, on: { click: onDecide } },
    content,
    el("span", { class: "visually-hidden" }, t(", show options")),
  );
}
