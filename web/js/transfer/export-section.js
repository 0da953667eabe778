// The part of the tool that downloads a class, or the rows of its filter, as a file.

import { errorText, field, formatChoice, formats } from "./formats.js";
import { createObjectCounter } from "./object-counter.js";
import { downloadBlob } from "../bulk/hand-over.js";
import { button } from "../buttons.js";
import { formatBytes } from "../byte-size.js";
import { el } from "../dom.js";
import { withDates } from "../filters/periods.js";
import { tableOf } from "../tables.js";
import { counted, t } from "../texts.js";

export function exportSection({ api, state, signal }, className) {
  const { order } = tableOf(state.values, className);
  const shown = shownRows(state.values, className);
  const format = formatChoice("export-format");
  const rows = field(
    "export-rows",
    t("Objects"),
    el("select", { class: "input", id: "export-rows" }, el("option", { value: "" }, t("All")), shown && el("option", { value: "shown" }, shown.words)),
    shown?.hint,
  );
  if (shown) rows.control.value = "shown";
  const problem = el("p", { class: "form-problem", role: "alert", dir: "auto", hidden: true });
  const line = el("p", { role: "status" });
  const runButton = button(t("Export"), run, { className: "button-primary" });
  const stopButton = button(t("Stop"), () => stopping?.abort());
  let stopping = null;
  stopButton.hidden = true;
  return el(
    "section",
    { class: "tool-section transfer-section", "aria-labelledby": "export-title" },
    el("h2", { class: "tool-section-title", id: "export-title" }, t("Export")),
    format.node,
    rows.node,
    problem,
    line,
    el("div", { class: "tool-bar" }, runButton, stopButton),
  );

  async function run() {
    stopping = new AbortController();
    setRunning(true);
    try {
      const { blob, count } = await read(AbortSignal.any([stopping.signal, signal]));
      downloadBlob(`${className}.${formats[format.control.value].extension}`, blob);
      line.textContent = t("Exported: {objects}, {size}.", { objects: counted(count, "object"), size: formatBytes(blob.size) });
    } catch (error) {
      line.textContent = "";
      if (stopping.signal.aborted) line.textContent = t("The export was stopped.");
      else show(error.message);
    } finally {
      setRunning(false);
    }
  }

  /** Resolves to the file and its number of objects: {blob, count}. The browser keeps large files on its disk, not in memory. */
  async function read(ending) {
    const parameters = new URLSearchParams({ format: format.control.value });
    if (order !== null) parameters.set("order", order);
    if (rows.control.value === "shown") parameters.set("where", JSON.stringify(shown.where));
    const response = await api.request("GET", `export/${encodeURIComponent(className)}?${parameters}`, { signal: ending });
    if (!response.ok) throw new Error(await errorText(response));
    const counter = createObjectCounter(format.control.value);
    let bytes = 0;
    const counting = new TransformStream({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        counter.take(chunk);
        line.textContent = t("{size} received", { size: formatBytes(bytes) });
        controller.enqueue(chunk);
      },
    });
    const blob = await new Response(response.body.pipeThrough(counting), { headers: { "Content-Type": "application/octet-stream" } }).blob();
    return { blob, count: counter.count() };
  }

  function setRunning(isRunning) {
    runButton.disabled = isRunning;
    stopButton.hidden = !isRunning;
    if (isRunning) {
      problem.hidden = true;
      line.textContent = t("Reading …");
    }
  }

  function show(message) {
    problem.textContent = message;
    problem.hidden = false;
  }
}

/**
 * The objects that the page shows of a class, if they are not all: {where, words, hint}; null otherwise. `hint` tells if the search
 * text is not a part of the query, because the page itself searches in the list.
 */
function shownRows(values, className) {
  const { where } = tableOf(values, className);
  const search = className === values.className ? values.search.trim() : "";
  const list = values.lists.get(className);
  const found = search !== "" && list?.phase === "ready" && list.search === values.search ? list.conditions : undefined;
  if (found && where !== null) return { where: found, words: t("The objects of the present filter that match “{search}”", { search }) };
  if (found) return { where: found, words: t("The objects that match “{search}”", { search }) };
  if (where === null) return null;
  const hint = search === "" ? null : t("The search text “{search}” is not a part of the filter.", { search });
  return { where: withDates(where, values.remembered.times), words: t("The objects of the present filter"), hint };
}
