// The screen that asks for the access key if the gateway requires one.

import { el, fill } from "./dom.js";
import { t } from "./texts.js";

/**
 * @param hidden the nodes to hide while the screen is shown
 * @param tryKey `(key)`: resolves to whether the gateway accepts the key
 */
export function showLockScreen(container, hidden, { state, tryKey }) {
  const input = el("input", {
    class: "input",
    id: "access-key",
    type: "password",
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": "access-problem",
  });
  const problem = el("p", { class: "field-problem", id: "access-problem", role: "alert" });
  const button = el("button", { class: "button button-primary", type: "submit" }, t("Open"));
  const where = t("Enter the access key from its configuration. This tab remembers the key until you close it.");
  const form = el(
    "form",
    { class: "lock-form", on: { submit: open } },
    el("h1", { class: "view-title" }, t("This gateway is locked")),
    el("p", { class: "view-intro" }, where),
    el("label", { class: "label", for: "access-key" }, t("Access key")),
    el("div", { class: "lock-row" }, input, button),
    problem,
  );
  fill(container, form);

  async function open(event) {
    event.preventDefault();
    const key = input.value.trim();
    button.disabled = true;
    problem.textContent = "";
    if (key === "") problem.textContent = t("Enter the access key.");
    else if (await tryKey(key)) input.value = "";
    else problem.textContent = t("This key is not valid.");
    button.disabled = false;
  }

  state.show(({ connection }) => {
    const isLocked = connection === "locked";
    if (container.hidden === !isLocked) return;
    container.hidden = !isLocked;
    for (const place of hidden) place.hidden = isLocked;
    if (isLocked) input.focus();
  });
}
