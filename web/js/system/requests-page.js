// The latest requests that the gateway has answered.

import { button } from "../buttons.js";
import { el, fill } from "../dom.js";
import { ownValue } from "../records.js";
import { breakable } from "./breakable.js";
import { exactTime } from "./exact-time.js";
import { numberText, t } from "../texts.js";
import { toolTable } from "./tool-table.js";

const columns = [
  { words: t("Time"), kind: "name" }, { words: t("Method") }, { words: t("Path") }, { words: t("Status") }, { words: t("Duration"), kind: "number" }, { words: t("Sender") },
];
const senders = {
  public: t("no session"), user: t("user"), masterKey: t("master key"), readOnlyMasterKey: t("read-only master key"), maintenanceKey: t("maintenance key"),
};

export async function buildRequests({ system, reload }) {
  const requests = await system.requests();
  const search = el("input", { class: "input", type: "search", "aria-label": t("Find a request"), placeholder: t("Method, path or status"), autocomplete: "off", on: { input: draw } });
  const onlyErrors = el("input", { type: "checkbox", on: { change: draw } });
  const place = el("div", {});
  draw();
  return [
    el("p", { class: "hint" }, t("The gateway keeps no queries, headers or bodies of requests. Times are in UTC.")),
    el("div", { class: "tool-bar" }, search, el("label", { class: "check-row" }, onlyErrors, t("Only errors")), button(t("Read again"), reload, { focus: "read again" })),
    place,
  ];

  function draw() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = requests.filter(({ method, path, status }) => {
      const text = `${method} ${path} ${status}`.toLowerCase();
      return words.every((word) => text.includes(word)) && !(onlyErrors.checked && status < 400);
    });
    fill(place, found.length === 0 ? el("p", { class: "hint", role: "status" }, t("No request matches.")) : toolTable(t("Requests"), columns, found.map(row)));
  }
}

function row({ number, at, method, path, status, milliseconds, principal }) {
  return {
    name: number,
    cells: [
      el("time", { datetime: at }, exactTime(at)),
      method,
      el("code", { class: "tool-code", dir: "auto" }, breakable(path)),
      el("span", { class: status >= 400 ? "request-error" : null }, String(status)),
      `${numberText(milliseconds, { maximumFractionDigits: 1 })} ms`,
      ownValue(senders, principal) ?? principal,
    ],
  };
}
