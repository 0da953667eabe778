// The settings of the gateway with their values and sources. They are changed where they are set: on the command line, in the
// environment or in the configuration file.

import { el, fill } from "../dom.js";
import { settingText, t } from "../texts.js";
import { breakable } from "./breakable.js";
import { toolTable } from "./tool-table.js";

const columns = [{ words: t("Setting"), kind: "name" }, { words: t("Value"), kind: "value" }, { words: t("Set by") }, { words: t("Meaning") }];

export async function buildSettings({ system }) {
  const read = await system.settings();
  const settings = read.map((setting) => ({ ...setting, about: settingText(setting.about), group: settingText(setting.group) }));
  const search = el("input", { class: "input", type: "search", "aria-label": t("Find a setting"), placeholder: t("Find a setting"), autocomplete: "off", on: { input: draw } });
  const onlySet = el("input", { type: "checkbox", on: { change: draw } });
  const list = el("div", { class: "call-groups" });
  const none = el("p", { class: "hint", role: "status" });
  draw();
  return [
    el("p", { class: "hint" }, t("A setting is changed on the command line, in the environment or in the configuration file. The gateway reads it when it starts.")),
    el("div", { class: "tool-bar" }, search, el("label", { class: "check-row" }, onlySet, t("Only settings that are set"))),
    list,
    none,
  ];

  function draw() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = settings.filter(({ name, about, group, source }) => {
      const text = `${name} ${about} ${group}`.toLowerCase();
      return words.every((word) => text.includes(word)) && !(onlySet.checked && source === "default");
    });
    const groups = [...new Set(found.map(({ group }) => group))];
    fill(list, groups.map((group) => groupNode(group, found.filter((setting) => setting.group === group))));
    none.textContent = found.length === 0 ? t("No setting matches.") : "";
  }
}

function groupNode(group, settings) {
  return el("section", { class: "tool-section" }, el("h2", { class: "tool-section-title" }, group), toolTable(group, columns, settings.map(row)));
}

function row({ name, value, source, about, secret }) {
  return {
    name,
    cells: [el("code", {}, name), el("code", { class: "tool-code", dir: "auto" }, breakable(valueText(value, secret, source))), source === "default" ? t("default") : source, el("span", { class: "tool-muted", dir: "auto" }, about)],
  };
}

function valueText(value, secret, source) {
  if (secret === true) return source === "default" ? t("not set") : t("set, not shown");
  return value === null || value === "" ? t("not set") : String(value);
}
