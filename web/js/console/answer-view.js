// Shows the answer to a call: status, time, size, headers and the body.

import { button } from "../buttons.js";
import { formatBytes } from "../byte-size.js";
import { el } from "../dom.js";
import { numberText, t } from "../texts.js";
import { toolTable } from "../system/tool-table.js";
import { masked, maskedHeader } from "./masks.js";

/** The maximum number of bytes of a body that the page shows. */
export const shownMax = 1_048_576;
/** The maximum number of bytes of a body that the page reads. */
export const readMax = 64 * shownMax;

/** Reads the body of a response up to `readMax` bytes: {blob, isCut}. */
export async function readBody(response, signal) {
  const chunks = [];
  let size = 0;
  let isCut = false;
  const reader = response.body?.getReader();
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) break;
      chunks.push(value);
      size += value.length;
      if (size > readMax) {
        isCut = true;
        await reader.cancel();
        break;
      }
    }
  } catch (error) {
    // A stream of events ends when the user stops it.
    if (!signal.aborted) throw error;
    isCut = true;
  }
  return { blob: new Blob(chunks, { type: response.headers.get("Content-Type") ?? "" }), isCut };
}

/** @param answer {status, statusText, headers: [[name, value]], blob, isCut, milliseconds, name} */
export async function answerNodes({ status, statusText, headers, blob, isCut, milliseconds, name }) {
  const type = blob.type.split(";")[0].trim();
  const isText = /^(text\/|application\/(json|yaml|xml|javascript)|$)/.test(type);
  const text = isText ? masked(formatted(type, blob.size <= shownMax, await blob.slice(0, shownMax).text())) : "";
  const size = blob.size > shownMax && isText ? t("{size}. Only the first {shown} are shown.", { size: formatBytes(blob.size), shown: formatBytes(shownMax) }) : formatBytes(blob.size);
  return [
    el(
      "p",
      { class: `answer-status answer-${Math.floor(status / 100)}`, role: "status" },
      el("strong", {}, `${status} ${statusText}`.trim()),
      ` · ${numberText(milliseconds)} ms · ${size}${isCut ? t(" The body was not read to its end.") : ""}`,
    ),
    el(
      "details",
      { class: "form-more" },
      el("summary", {}, t("Headers of the answer ({count})", { count: headers.length })),
      toolTable(t("Headers of the answer"), [{ words: t("Name"), kind: "name" }, { words: t("Value") }], headers.map(([header, value]) => ({ name: header, cells: [header, maskedHeader(header, value)] }))),
    ),
    isText
      ? blob.size > 0 && el("pre", { class: "tool-code answer-body", dir: "auto", tabindex: "0", role: "region", "aria-label": t("Body of the answer") }, text)
      : el("p", {}, t("The body is of the type {type}. The page does not show it.", { type })),
    blob.size > 0 && el(
      "p",
      { class: "tool-bar" },
      isText && button(t("Copy the shown body"), () => navigator.clipboard?.writeText(text), { className: "button-small" }),
      button(t("Download the body"), () => download(blob, name), { className: "button-small" }),
    ),
  ].filter(Boolean);
}

/** The text of a body. Complete JSON is indented. */
function formatted(type, isComplete, text) {
  if (!isComplete || !/json/.test(type)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function download(blob, name) {
  const address = URL.createObjectURL(blob);
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
