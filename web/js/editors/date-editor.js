// The editor of a date: day and time in the time zone of the browser, with the time in UTC below it.

import { createTextEditor } from "./text-editor.js";
import { formatUtcMoment } from "../dates.js";
import { el } from "../dom.js";
import { t } from "../texts.js";

export function createDateEditor(value, attributes) {
  const editor = createTextEditor("localMoment", value, attributes);
  const { control } = editor;
  const line = el("p", { class: "hint date-utc" });
  control.addEventListener("input", draw);
  draw();

  function draw() {
    const entered = editor.read();
    line.textContent = entered?.iso ? t("In UTC: {time}", { time: formatUtcMoment(entered.iso) }) : "";
    line.hidden = line.textContent === "";
  }

  return {
    ...editor,
    node: el("div", {}, control, line),
    restoreText(text) {
      editor.restoreText(text);
      draw();
    },
  };
}
