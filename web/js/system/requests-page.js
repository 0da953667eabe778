// The latest requests that the gateway has answered.

import { button } from "../buttons.js";
import { el, fill } from "../dom.js";
import { ownValue } from "../records.js";
import { exactTime } from "./exact-time.js";
import { toolTable } from "./tool-table.js";

const columns = [
  { words: "Time", kind: "name" }, { words: "Method" }, { words: "Path" }, { words: "Status" }, { words: "Duration", kind: "number" }, { words: "Sender" },
];
const senders = {
  public: "no session", user: "user", masterKey: "master key", readOnlyMasterKey: "read-only master key", maintenanceKey: "maintenance key",
};

export async function buildRequests({ system, reload }) {
  const requests = await system.requests();
  const search = el("input", { class: "input", type: "search", "aria-label": "Find a request", placeholder: "Method, path or status", autocomplete: "off", on: { input: draw } });
  const onlyErrors = el("input", { type: "checkbox", on: { change: draw } });
  const place = el("div", {});
  draw();
  return [
    el("p", { class: "hint" }, "The gateway keeps no queries, headers or bodies of requests. Times are in UTC."),
    el("div", { class: "tool-bar" }, search, el("label", { class: "check-row" }, onlyErrors, "Only errors"), button("Read again", reload, { focus: "read again" })),
    place,
  ];

  function draw() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = requests.filter(({ method, path, status }) => {
      const text = `${method} ${path} ${status}`.toLowerCase();
      return words.every((word) => text.includes(word)) && !(onlyErrors.checked && status < 400);
    });
    fill(place, found.length === 0 ? el("p", { class: "hint", role: "status" }, "No request matches.") : toolTable("Requests", columns, found.map(row)));
  }
}

function row({ number, at, method, path, status, milliseconds, principal }) {
  return {
    name: number,
    cells: [
      el("time", { datetime: at }, exactTime(at)),
      method,
      el("code", { class: "tool-code", dir: "auto" }, path),
      el("span", { class: status >= 400 ? "request-error" : null }, String(status)),
      `${milliseconds.toLocaleString("en", { maximumFractionDigits: 1 })} ms`,
      ownValue(senders, principal) ?? principal,
    ],
  };
}
