// The choice of classes of a server: check boxes if the server lists its classes, otherwise a text with one name a line.

import { button } from "../buttons.js";
import { el } from "../dom.js";
import { fieldRow } from "../editors/field-row.js";
import { t } from "../texts.js";

/**
 * @param names the names of the server's classes; null if the server does not list them
 * @returns {node, rows, chosen}: `rows` are the rows of the form, and `chosen` resolves to the chosen names
 */
export function createClassChoice(names) {
  return names === null ? namesAsText() : namesAsBoxes(names);
}

function namesAsText() {
  const hint = t("One name a line. This server does not list its classes without the master key.");
  const row = fieldRow({ name: "classes", label: t("Classes"), kind: "lines", required: true, hint });
  return { node: row.node, rows: [row], chosen: async () => (await row.value()) ?? [] };
}

function namesAsBoxes(names) {
  const boxes = names.map((name) => el("input", { type: "checkbox", name: "class", value: name, checked: names.length === 1 }));
  const all = button(t("All"), () => setAll(true), { className: "button-small button-quiet" });
  const none = button(t("None"), () => setAll(false), { className: "button-small button-quiet" });

  function setAll(flag) {
    for (const box of boxes) box.checked = flag;
  }

  const node = el(
    "fieldset",
    { class: "class-choice" },
    el("legend", {}, names.length === 0 ? t("The server has no classes yet") : t("Classes of the server")),
    names.length > 1 && el("div", { class: "class-choice-tools" }, all, none),
    boxes.map((box) => el("label", { class: "class-choice-item" }, box, el("span", { dir: "auto" }, box.value))),
  );
  return { node, rows: [], chosen: async () => boxes.filter((box) => box.checked).map((box) => box.value) };
}
