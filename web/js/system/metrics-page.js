// The gateway's metrics as tables. Histograms are shown by their number, mean and quantiles.

import { button } from "../buttons.js";
import { formatUtc } from "../dates.js";
import { el } from "../dom.js";
import { histograms, readMetrics } from "./metrics-text.js";
import { numberText, t } from "../texts.js";
import { toolTable } from "./tool-table.js";

export async function buildMetrics({ system, reload }) {
  const metrics = readMetrics(await system.metrics());
  return [
    el("div", { class: "tool-bar" }, button(t("Read again"), reload, { focus: "read again" }), el("span", { class: "hint" }, t("GET /metrics has the same values for Prometheus."))),
    ...metrics.map(metricNode),
  ];
}

function metricNode(metric) {
  const { name, help, type } = metric;
  return el(
    "section",
    { class: "tool-section" },
    el("h2", { class: "tool-section-title tool-code" }, name),
    el("p", { class: "hint", dir: "auto" }, help),
    type === "histogram" ? histogramTable(metric) : valueTable(metric),
  );
}

function valueTable({ name, samples }) {
  const rows = samples.map(({ labels, value }) => ({ name: labelText(labels), cells: [labelText(labels), valueText(name, value)] }));
  return toolTable(name, [{ words: t("Labels"), kind: "name" }, { words: t("Value"), kind: "number" }], rows);
}

function histogramTable(metric) {
  const columns = [
    { words: t("Labels"), kind: "name" }, { words: t("Count"), kind: "number" }, { words: t("Mean"), kind: "number" },
    { words: t("50% within"), kind: "number" }, { words: t("95% within"), kind: "number" }, { words: t("99% within"), kind: "number" },
  ];
  const text = (value) => durationText(metric.name, value);
  const rows = histograms(metric).map(({ labels, count, mean, quantiles }) => ({
    name: labelText(labels),
    cells: [labelText(labels), numberText(count), text(mean), ...quantiles.map(text)],
  }));
  return toolTable(metric.name, columns, rows);
}

function labelText(labels) {
  return labels.length === 0 ? "all" : labels.map(([name, value]) => `${name} ${value}`).join(", ");
}

function valueText(name, value) {
  if (/_time(stamp)?_seconds$/.test(name) && value > 1e9) return formatUtc(new Date(value * 1000).toISOString());
  return Number.isFinite(value) ? numberText(value, { maximumFractionDigits: 6 }) : String(value);
}

function durationText(name, value) {
  if (value === null) return "–";
  if (value === Infinity) return "more";
  if (!name.endsWith("_seconds")) return numberText(value, { maximumFractionDigits: 3 });
  return value < 1 ? `${numberText(value * 1000, { maximumFractionDigits: 2 })} ms` : `${numberText(value, { maximumFractionDigits: 2 })} s`;
}
