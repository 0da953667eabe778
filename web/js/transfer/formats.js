// The formats of exports and imports.

import { el } from "../dom.js";
import { t } from "../texts.js";

/** The formats by their names in the API: {label, extension}. */
export const formats = {
  ndjson: { label: t("NDJSON: one object a line, exact"), extension: "ndjson" },
  csv: { label: t("CSV: a table for spreadsheets"), extension: "csv" },
  parse: { label: t("JSON: the class export of Parse Server, exact"), extension: "json" },
};

/** A choice of a format: {node, control}. */
export function formatChoice(id) {
  const options = Object.entries(formats).map(([value, { label }]) => el("option", { value }, label));
  return field(id, t("Format"), el("select", { class: "input", id }, options));
}

/** A labelled field of a form: {node, control}. */
export function field(id, label, control, hint = null) {
  const hintNode = hint && el("p", { class: "hint", id: `${id}-hint` }, hint);
  if (hint) control.setAttribute("aria-describedby", `${id}-hint`);
  return { control, node: el("div", { class: "field" }, el("label", { class: "label", for: id }, label), control, hintNode) };
}

/** The format of a file by its name. */
export function formatOf(fileName) {
  const found = Object.entries(formats).find(([, { extension }]) => fileName.toLowerCase().endsWith(`.${extension}`));
  return found?.[0] ?? "ndjson";
}

/** The text of the error answer to a request. */
export async function errorText(response) {
  const answer = await response.json().catch(() => null);
  return answer?.error ?? t("The gateway answered with status {status}.", { status: response.status });
}
