// Reads metrics in the text format of Prometheus, version 0.0.4.

/** The metrics: [{name, help, type, samples}]. A sample is {suffix, labels, value}, where `labels` is a list of [name, text]. */
export function readMetrics(text) {
  const all = new Map();
  const metric = (name) => {
    if (!all.has(name)) all.set(name, { name, help: "", type: "untyped", samples: [] });
    return all.get(name);
  };
  for (const line of text.split("\n")) {
    const [, word, about, rest = ""] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? [];
    if (word === "HELP") metric(about).help = rest.replaceAll("\\n", " ").replaceAll("\\\\", "\\");
    else if (word === "TYPE") metric(about).type = rest.trim();
    else if (line.trim() !== "" && !line.startsWith("#")) addSample(all, metric, line);
  }
  return [...all.values()];
}

function addSample(all, metric, line) {
  const [, full, braces = "", number] = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/.exec(line) ?? [];
  if (full === undefined) return;
  const base = full.replace(/_(bucket|sum|count)$/, "");
  const isPart = base !== full && ["histogram", "summary"].includes(all.get(base)?.type);
  metric(isPart ? base : full).samples.push({ suffix: isPart ? full.slice(base.length + 1) : "", labels: labelsOf(braces), value: valueOf(number) });
}

function labelsOf(text) {
  return [...text.matchAll(/([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value.replace(/\\(.)/g, (_, each) => (each === "n" ? "\n" : each))]);
}

function valueOf(text) {
  return { "+Inf": Infinity, "-Inf": -Infinity }[text] ?? Number(text);
}

/**
 * The histograms of a metric, by their labels: [{labels, count, mean, quantiles}]. `quantiles` has the upper bounds of 50, 95 and 99%
 * of the values: infinite if they are above all bounds.
 */
export function histograms({ samples }) {
  const groups = new Map();
  for (const { suffix, labels, value } of samples) {
    const others = labels.filter(([name]) => name !== "le");
    const key = JSON.stringify(others);
    if (!groups.has(key)) groups.set(key, { labels: others, count: 0, sum: 0, buckets: [] });
    const group = groups.get(key);
    if (suffix === "bucket") group.buckets.push([valueOf(labels.find(([name]) => name === "le")?.[1]), value]);
    if (suffix === "count") group.count = value;
    if (suffix === "sum") group.sum = value;
  }
  return [...groups.values()].map(({ labels, count, sum, buckets }) => ({
    labels,
    count,
    mean: count === 0 ? null : sum / count,
    quantiles: [0.5, 0.95, 0.99].map((part) => (count === 0 ? null : (buckets.find(([, total]) => total >= part * count)?.[0] ?? Infinity))),
  }));
}
