// The form of a call: its parameters and its body.

import { el } from "../dom.js";
import { exampleOf } from "./example.js";
import { resolved } from "./description.js";
import { inline } from "./markup.js";
import { t } from "../texts.js";

const placeNames = { path: t("In the path"), query: t("Query"), header: t("Headers") };
const code = { spellcheck: "false", autocomplete: "off", autocapitalize: "off" };
let count = 0;

/**
 * @param values {parameters: a map from "place name" to text, body: text}: the texts of the form, which it updates
 * @param classes the names of the classes, for the parameter `className`
 * @param onInput called after each change of the user
 * @returns {node, file}: the form, and a function that returns the chosen file
 */
export function callForm({ description, call, values, classes, onInput }) {
  const id = `call-${++count}`;
  let fileInput = null;
  const groups = Object.entries(placeNames).map(([place, words]) => {
    const all = call.parameters.filter((parameter) => parameter.place === place);
    if (all.length === 0) return null;
    const rows = all.map(parameterRow);
    // A call has many parameters that are rarely used.
    if (place === "path") return el("div", { class: "call-rows" }, rows);
    const isUsed = all.some(({ name }) => values.parameters.has(`${place} ${name}`));
    return el("details", { class: "form-more", open: isUsed }, el("summary", {}, `${words} (${all.length})`), el("div", { class: "call-rows" }, rows));
  });
  return { node: el("div", { class: "call-form" }, groups.filter(Boolean), call.body && bodyRow(), list()), file: () => fileInput?.files[0] ?? null };

  function parameterRow({ name, place, isRequired, text, schema, example }, at) {
    const key = `${place} ${name}`;
    const controlId = `${id}-${place}-${at}`;
    const shape = resolved(description, schema);
    const set = (value) => {
      if (value === "") values.parameters.delete(key);
      else values.parameters.set(key, value);
      onInput();
    };
    const isJSON = shape.contentMediaType === "application/json";
    const attributes = {
      class: isJSON ? "input input-code" : "input",
      id: controlId,
      "aria-required": isRequired ? "true" : null,
      "aria-describedby": `${controlId}-hint`,
      ...code,
    };
    const control = shape.enum
      ? el("select", { ...attributes, autocomplete: null }, ["", ...shape.enum].map((value) => el("option", { value }, value === "" ? t("Not sent") : value)))
      : el(isJSON ? "textarea" : "input", {
          ...attributes,
          ...(isJSON ? { rows: "2" } : { type: "text", list: name === "className" && place === "path" ? `${id}-classes` : null }),
          placeholder: exampleText(example),
        });
    control.value = values.parameters.get(key) ?? "";
    control.addEventListener("input", () => set(control.value));
    return el(
      "div",
      { class: "field" },
      el("label", { class: "label", for: controlId }, name, isRequired ? "" : el("span", { class: "label-note" }, t(" optional"))),
      control,
      el("p", { class: "hint call-hint", id: `${controlId}-hint`, dir: "auto" }, inline(text)),
    );
  }

  function bodyRow() {
    const { type, isRequired } = call.body;
    const area = el("textarea", { class: "input input-code", id: `${id}-body`, rows: "10", ...code });
    area.value = values.body;
    area.addEventListener("input", () => {
      values.body = area.value;
      onInput();
    });
    const isFile = type === "*/*";
    if (isFile) fileInput = el("input", { class: "input", id: `${id}-file`, type: "file", on: { change: onInput } });
    return el(
      "div",
      { class: "field" },
      el("label", { class: "label", for: area.id }, isFile ? t("Body as text") : t("Body ({type})", { type }), isRequired || isFile ? "" : el("span", { class: "label-note" }, t(" optional"))),
      area,
      fileInput && [el("label", { class: "label", for: fileInput.id }, t("Or a file as the body")), fileInput],
    );
  }

  function list() {
    return el("datalist", { id: `${id}-classes` }, classes.map((name) => el("option", { value: name })));
  }
}

/** The texts of the form of a call before the user types. */
export function startValues(description, call, className) {
  const parameters = new Map();
  const hasClass = call.parameters.some(({ name, place }) => name === "className" && place === "path");
  if (hasClass && className !== null) parameters.set("path className", className);
  const { body } = call;
  if (body === null || body.type !== "application/json") return { parameters, body: "" };
  const example = body.example ?? exampleOf(description, body.schema ?? {});
  return { parameters, body: example === undefined ? "" : JSON.stringify(example, null, 2) };
}

function exampleText(example) {
  if (example === undefined) return null;
  return typeof example === "string" ? example : JSON.stringify(example);
}
