// The dialog that searches a user or a role by name.

import { openDialog } from "../dialog.js";
import { el, fill } from "../dom.js";
import { createGoKeys } from "../go-keys.js";
import { t } from "../texts.js";

/** The pause in typing, in milliseconds, after which the gateway searches. */
const typingMs = 200;
const shownMax = 12;

/**
 * @param fixed the choices that need no search: [[entity, words]]
 * @param choose `(entity, words)`: takes the chosen user (by id) or role (`role:NAME`)
 */
export function openEntityDialog({ title, fixed = [], owner, choose }) {
  let latest = 0;
  let typing = null;
  const label = t("Name of a user or role");
  const input = el("input", { class: "input", type: "search", placeholder: label, "aria-label": label, autocomplete: "off", on: { input: seekSoon } });
  const list = el("div", { class: "go-list" });
  const hint = el("p", { class: "hint", role: "status" });
  const content = el("div", { class: "object-form" }, el("div", { class: "form-rows" }, input, list, hint));
  const frame = openDialog({ title, className: "dialog-go", content });
  const keys = createGoKeys(content, input, [list]);
  input.focus();
  seek();

  function entry(entity, words, kind) {
    const take = () => {
      frame.close();
      choose(entity, words);
    };
    return el(
      "button",
      { class: "go-entry", type: "button", on: { click: take } },
      el("span", { class: "go-name", dir: "auto" }, words),
      kind && el("span", { class: "go-class" }, kind),
    );
  }

  function seekSoon() {
    clearTimeout(typing);
    typing = setTimeout(seek, typingMs);
  }

  async function seek() {
    const request = ++latest;
    const text = input.value.trim();
    const plain = text.toLowerCase();
    try {
      const [users, roles] = await Promise.all([owner.findUsers(text, shownMax), owner.findRoles(text, shownMax)]);
      if (request !== latest) return;
      fill(
        list,
        fixed.filter(([, words]) => words.toLowerCase().includes(plain)).map(([entity, words]) => entry(entity, words)),
        roles.map(({ name }) => entry(`role:${name}`, name, "role")),
        users.map(({ objectId, username }) => entry(objectId, username ?? objectId, `user ${objectId}`)),
      );
      keys.mark();
      hint.textContent = list.children.length === 0 ? t("No user and no role has this name.") : "";
    } catch (error) {
      if (request === latest) hint.textContent = error.message;
    }
  }
}
