// The part of the tool that checks a file and imports it. A file is imported only after a check of the same file with the same
// options.

import { field, formatChoice, formatOf } from "./formats.js";
import { sendImport } from "./import-request.js";
import { button } from "../buttons.js";
import { el, fill } from "../dom.js";
import { toolTable } from "../system/tool-table.js";
import { counted, listed, numberText, plural, t } from "../texts.js";

/** The maximum number of refused objects that the page lists. */
const refusalsMax = 200;

export function importSection({ api, notices, signal }, className) {
  const file = field("import-file", t("File"), el("input", { class: "input", id: "import-file", type: "file", accept: ".ndjson,.jsonl,.csv,.json", on: { change: chooseFile } }));
  const format = formatChoice("import-format");
  const text = (id, label, hint, type = "text") =>
    field(id, label, el("input", { class: "input", id, type, autocomplete: "off", spellcheck: "false" }), hint);
  const rename = text("import-rename", t("Rename fields"), t("Such as Title=name, Remark=. An empty name leaves a field out."));
  const types = text("import-types", t("Types of fields"), t("Such as due=Date, project=Pointer<Project>."));
  const key = text("import-key", t("Maintenance key"), t("With this key, new objects keep the times and users of the file. Without it, they get new times."), "password");
  const skips = el("input", { type: "checkbox", id: "import-skip" });
  const problem = el("p", { class: "form-problem", role: "alert", dir: "auto", hidden: true });
  const meter = el("progress", { class: "meter", "aria-label": t("Import"), hidden: true });
  const line = el("p", { role: "status" });
  const result = el("div", { class: "transfer-result" });
  const checkButton = button(t("Check the file"), () => run(true), { className: "button-primary" });
  const importButton = button(t("Import"), () => run(false), { className: "button-danger" });
  const stopButton = button(t("Stop"), () => stopping?.abort());
  let stopping = null;
  importButton.hidden = stopButton.hidden = true;
  for (const { control } of [format, rename, types, key]) control.addEventListener("input", forgetCheck);
  skips.addEventListener("change", forgetCheck);
  return el(
    "section",
    { class: "tool-section transfer-section", "aria-labelledby": "import-title" },
    el("h2", { class: "tool-section-title", id: "import-title" }, t("Import")),
    file.node, format.node, rename.node, types.node, key.node,
    el("label", { class: "check-row", for: "import-skip" }, skips, el("span", {}, t("Import the other objects if some are refused"))),
    problem, meter, line, result,
    el("div", { class: "tool-bar" }, checkButton, importButton, stopButton),
  );

  function chooseFile() {
    const [chosen] = file.control.files;
    if (chosen) format.control.value = formatOf(chosen.name);
    forgetCheck();
  }

  function forgetCheck() {
    importButton.hidden = true;
    fill(result);
    line.textContent = "";
    problem.hidden = true;
  }

  async function run(isCheck) {
    const [chosen] = file.control.files;
    if (!chosen) return warn(t("Choose a file."));
    const options = {
      format: format.control.value, rename: pairs(rename), type: pairs(types), skipRefused: skips.checked, dryRun: isCheck,
    };
    stopping = new AbortController();
    forgetCheck();
    setRunning(true);
    line.textContent = t("Sending the file …");
    try {
      const report = await sendImport(api, { className, file: chosen, options, maintenanceKey: key.control.value, onProgress, signal: AbortSignal.any([stopping.signal, signal]) });
      show(report, isCheck);
    } catch (error) {
      const stopped = isCheck ? t("The check was stopped. Nothing was changed.") : t("The import was stopped. Objects that were written stay. Run it again to write the rest.");
      line.textContent = stopping.signal.aborted ? stopped : "";
      if (!stopping.signal.aborted) warn(error.message);
    } finally {
      setRunning(false);
    }
  }

  function onProgress({ pass, objects, bytes, bytesTotal }) {
    meter.max = bytesTotal || 1;
    meter.value = bytes;
    const values = { objects: counted(objects, "object") };
    line.textContent = pass === "write" ? t("Writing: {objects}", values) : t("Checking: {objects}", values);
  }

  function show(report, isCheck) {
    const { made, changed, unchanged, refused, refusals, missingFields = [], written, error } = report;
    const isDone = !isCheck && written;
    line.textContent = isDone ? t("Imported.") : isCheck ? t("Checked. Nothing is changed yet.") : "";
    if (!isDone && !isCheck && error) warn(error);
    const row = (label, count) => ({ name: label, cells: [label, numberText(count)] });
    fill(
      result,
      toolTable(t("Result"), [{ words: t("Objects"), kind: "name" }, { words: t("Number"), kind: "number" }], [
        row(t("New"), made), row(t("Changed"), changed), row(t("Unchanged"), unchanged), row(t("Refused"), refused),
      ]),
      missingFields.length > 0 && el("p", { class: "hint" }, t("No object of the file has these fields: {fields}.", { fields: listed(missingFields) })),
      refused > 0 && refusedTable(refusals),
      refused > refusalsMax && el("p", { class: "hint" }, t("The first {count} refused objects are listed.", { count: numberText(refusalsMax) })),
    );
    const writable = made + changed;
    importButton.hidden = !isCheck || writable === 0 || (refused > 0 && !skips.checked);
    importButton.textContent = plural("Import {count} object", "Import {count} objects", { count: writable });
    if (isDone) notices.announce(t("Imported."));
  }

  function warn(message) {
    problem.textContent = message;
    problem.hidden = false;
  }

  function setRunning(isRunning) {
    checkButton.disabled = isRunning;
    importButton.disabled = isRunning;
    stopButton.hidden = meter.hidden = !isRunning;
    if (isRunning) meter.removeAttribute("value");
  }
}

/** The pairs that the user has typed, without spaces around them. */
function pairs({ control }) {
  return control.value.split(",").map((pair) => pair.split("=").map((part) => part.trim()).join("=")).filter((pair) => pair !== "").join(",");
}

function refusedTable(refusals) {
  const columns = [{ words: t("Line"), kind: "number" }, { words: t("Object") }, { words: t("Reason") }];
  const rows = refusals.slice(0, refusalsMax).map(({ line, objectId, error }) => ({ name: String(line), cells: [numberText(line), objectId ?? "", error] }));
  return toolTable(t("Refused objects"), columns, rows);
}
