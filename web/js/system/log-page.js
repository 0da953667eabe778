// The latest lines of the gateway's log. New lines appear while the page is open.

import { el, fill } from "../dom.js";
import { StoppedError, SupersededError } from "../api.js";
import { exactTime } from "./exact-time.js";
import { t } from "../texts.js";

/** The pause between two reads, in milliseconds. */
const pauseMs = 2_000;
/** The maximum number of lines that the page keeps. */
const linesMax = 2_000;
const levels = ["trace", "debug", "info", "notice", "warning", "error", "critical"];

export async function buildLog({ system, signal }) {
  const { lines, last } = await system.log(0);
  let kept = lines;
  let position = last;
  const level = el("select", { class: "input", id: "log-level", on: { change: drawAll } }, levels.map((name) => el("option", { value: name }, name)));
  const search = el("input", { class: "input", type: "search", "aria-label": t("Find in the log"), placeholder: t("Find in the log"), autocomplete: "off", on: { input: drawAll } });
  const list = el("ol", { class: "log-lines", tabindex: "0", "aria-label": t("Lines of the log") });
  const note = el("p", { class: "hint", role: "status" });
  const problem = el("p", { class: "form-problem", role: "alert", dir: "auto", hidden: true });
  drawAll();
  follow();
  return [
    el("div", { class: "tool-bar" }, el("label", { for: level.id }, t("From the level")), level, search),
    problem,
    list,
    note,
    el("p", { class: "hint" }, t("Times are in UTC. New lines appear by themselves.")),
  ];

  function isShown({ level: of, message }) {
    return levels.indexOf(of) >= levels.indexOf(level.value) && message.toLowerCase().includes(search.value.trim().toLowerCase());
  }

  function drawAll() {
    const shown = kept.filter(isShown);
    fill(list, shown.map(lineNode));
    tellCount();
    list.scrollTop = list.scrollHeight;
  }

  /** Reads all lines again: after a restart of the gateway, their numbers begin again. */
  function startAgain() {
    kept = [];
    position = 0;
    drawAll();
  }

  function add(fresh, last) {
    position = last;
    if (fresh.length === 0) return;
    // The view stays where the user has scrolled to, and follows the log at its end.
    const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 4;
    kept = [...kept, ...fresh].slice(-linesMax);
    list.append(...fresh.filter(isShown).map(lineNode));
    while (list.children.length > linesMax) list.firstElementChild.remove();
    tellCount();
    if (isAtEnd) list.scrollTop = list.scrollHeight;
  }

  function tellCount() {
    note.textContent = list.children.length > 0 ? "" : kept.length === 0 ? t("The log has no lines yet.") : t("No line matches.");
  }

  /** Reads new lines until the user leaves the page. */
  async function follow() {
    for (;;) {
      await pause(pauseMs, signal);
      if (signal.aborted) return;
      if (document.hidden) continue;
      try {
        const answer = await system.log(position);
        if (signal.aborted) return;
        problem.hidden = true;
        if (answer.last < position) startAgain();
        else add(answer.lines, answer.last);
      } catch (error) {
        if (signal.aborted || error instanceof SupersededError || error instanceof StoppedError) return;
        problem.textContent = error.message;
        problem.hidden = false;
      }
    }
  }
}

function lineNode({ number, at, level, message }) {
  return el(
    "li",
    { class: `log-line log-${level}`, data: { number } },
    el("time", { datetime: at }, exactTime(at)),
    el("span", { class: "log-level" }, level),
    el("span", { class: "log-message", dir: "auto" }, message),
  );
}

function pause(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}
