// The view of the sync history: a chart of durations and pending changes, and a list of the latest syncs.

import { agoText } from "./dates.js";
import { el } from "./dom.js";
import { resultText } from "./sync-text.js";
import { counted, numberText, t } from "./texts.js";

const size = { width: 280, height: 64 };
const listedMax = 4;
const barMax = 14;

/** @param history {syncs, pendingCounts}: two lists, oldest first */
export function historyView({ syncs, pendingCounts }, { pending }) {
  if (syncs.length === 0) return el("p", { class: "panel-none" }, t("No sync has finished since you opened this page."));
  return el(
    "div",
    {},
    chart(syncs, pendingCounts, pending),
    el(
      "p",
      { class: "chart-key", "aria-hidden": "true" },
      el("span", { class: "key-syncs" }, t("Sync duration, at most {duration}", { duration: formatDuration(Math.max(...syncs.map(durationOf))) })),
      el("span", { class: "key-pending" }, t("Pending changes, at most {count}", { count: numberText(Math.max(pending, ...pendingCounts.map(({ count }) => count))) })),
    ),
    el("ol", { class: "sync-list" }, syncs.slice(-listedMax).reverse().map(syncRow)),
  );
}

function syncRow(sync) {
  return el(
    "li",
    { class: "sync-row" },
    el("time", { datetime: sync.at }, agoText(sync.at)),
    el("span", { class: "sync-figures" }, resultText(sync) || t("nothing new")),
    el("span", { class: "sync-duration" }, formatDuration(durationOf(sync))),
  );
}

const durationOf = ({ durationMs }) => durationMs ?? 0;

function formatDuration(ms) {
  return ms < 1000 ? `${numberText(Math.round(ms))} ms` : `${numberText(ms / 1000, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s`;
}

/**
 * Draws the chart: a bar for the duration of each sync, and a stepped line for the number of pending changes. Both share the
 * time axis, but not the vertical scale.
 */
function chart(syncs, pendingCounts, pending) {
  const { width, height } = size;
  const begin = Math.min(Date.parse(syncs[0].at), pendingCounts[0]?.at ?? Infinity);
  const end = Math.max(Date.now(), begin + 1);
  const across = (ms) => 1 + ((ms - begin) / (end - begin)) * (width - barMax - 2);
  const longest = Math.max(1, ...syncs.map(durationOf));
  const most = Math.max(pending, ...pendingCounts.map(({ count }) => count));
  const barWidth = Math.max(2, Math.min(barMax, width / (syncs.length * 3)));

  const bars = syncs.map((sync) => {
    const tall = Math.max(2, (durationOf(sync) / longest) * (height - 8));
    return shape("rect", { class: "chart-bar", x: across(Date.parse(sync.at)), y: height - tall, width: barWidth, height: tall, rx: 1 });
  });
  const level = (count) => 3 + (1 - count / Math.max(1, most)) * (height - 6);
  const steps = pendingCounts.map(({ at, count }, index) => `${index === 0 ? "M" : "H"}${across(at)}${index === 0 ? ` ${level(count)}` : ` V${level(count)}`}`);
  const line = shape("path", { class: "chart-line", d: `${steps.join(" ")} H${width}` });
  const words = t("{syncs}, the longest {duration}. Pending: at most {changes}.", { syncs: counted(syncs.length, "sync"), duration: formatDuration(longest), changes: counted(most, "change") });
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
