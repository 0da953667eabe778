// The last syncs: a small chart of how long they took and how many changes waited, and the last of them in words.

import { agoWords } from "./dates.js";
import { el } from "./dom.js";
import { figureWords } from "./sync-words.js";
import { counted } from "./values.js";

const size = { width: 280, height: 64 };
const listedMax = 4;
const barMax = 14;

/** @param history {syncs, waiting}, oldest first */
export function historyView({ syncs, waiting }, { pending }) {
  if (syncs.length === 0) return el("p", { class: "panel-none" }, "No sync has come to its end since this page is open.");
  return el(
    "div",
    {},
    chart(syncs, waiting, pending),
    el(
      "p",
      { class: "chart-key", "aria-hidden": "true" },
      el("span", { class: "key-syncs" }, `Time of a sync, ${durationWords(Math.max(...syncs.map(durationOf)))} at most`),
      el("span", { class: "key-waiting" }, `Changes waiting, ${Math.max(pending, ...waiting.map(({ count }) => count))} at most`),
    ),
    el("ol", { class: "sync-list" }, syncs.slice(-listedMax).reverse().map(syncRow)),
  );
}

function syncRow(sync) {
  return el(
    "li",
    { class: "sync-row" },
    el("time", { datetime: sync.at }, agoWords(sync.at)),
    el("span", { class: "sync-figures" }, figureWords(sync) || "nothing new"),
    el("span", { class: "sync-duration" }, durationWords(durationOf(sync))),
  );
}

const durationOf = ({ durationMs }) => durationMs ?? 0;

function durationWords(ms) {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Bars for the syncs, a line of steps for what waited; both over the same time, each on a scale of its own. */
function chart(syncs, waiting, pending) {
  const { width, height } = size;
  const begin = Math.min(Date.parse(syncs[0].at), waiting[0]?.at ?? Infinity);
  const end = Math.max(Date.now(), begin + 1);
  const across = (ms) => 1 + ((ms - begin) / (end - begin)) * (width - barMax - 2);
  const longest = Math.max(1, ...syncs.map(durationOf));
  const most = Math.max(pending, ...waiting.map(({ count }) => count));
  const barWidth = Math.max(2, Math.min(barMax, width / (syncs.length * 3)));

  const bars = syncs.map((sync) => {
    const tall = Math.max(2, (durationOf(sync) / longest) * (height - 8));
    return shape("rect", { class: "chart-bar", x: across(Date.parse(sync.at)), y: height - tall, width: barWidth, height: tall, rx: 1 });
  });
  const level = (count) => 3 + (1 - count / Math.max(1, most)) * (height - 6);
  const steps = waiting.map(({ at, count }, index) => `${index === 0 ? "M" : "H"}${across(at)}${index === 0 ? ` ${level(count)}` : ` V${level(count)}`}`);
  const line = shape("path", { class: "chart-line", d: `${steps.join(" ")} H${width}` });
  const words = `${counted(syncs.length, "sync")}, the longest ${durationWords(longest)}. At most ${counted(most, "change")} waited.`;
  return shape(
    "svg",
    { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words, preserveAspectRatio: "none" },
    ...bars,
    ...(steps.length > 0 ? [line] : []),
  );
}

function shape(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}
