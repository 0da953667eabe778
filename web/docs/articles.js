// The sections of the documentation: one for each call, and one for each schema.

import { exampleOf } from "../js/console/example.js";
import { blocks, inline } from "../js/console/markup.js";
import { el } from "../js/dom.js";
import { membersOf, schemaId, typeNodes } from "./type-text.js";

const places = { path: "path", query: "query", header: "header" };

/** @param consoleAddress `(id)`: the address of a call in the API console */
export function callArticle(description, call, consoleAddress) {
  const { id, method, path, summary, text, parameters, body, answers, needsMasterKey } = call;
  const isGood = ({ status }) => /^[23]/.test(status);
  const good = answers.filter(isGood);
  const bad = answers.filter((answer) => !isGood(answer));
  return el(
    "article",
    { class: "docs-call", id, "aria-labelledby": `${id}-title`, tabindex: "-1" },
    el("h3", { class: "docs-call-title", id: `${id}-title` }, el("a", { href: `#${id}`, class: "docs-anchor" }, el("span", { class: `docs-method docs-${method.toLowerCase()}` }, method), " ", el("code", {}, path))),
    el("p", { class: "docs-summary" }, el("strong", {}, inline(summary)), needsMasterKey && " Needs the master key.", " ", el("a", { class: "docs-try", href: consoleAddress(id) }, "Try it", el("span", { class: "visually-hidden" }, ` in the console: ${id}`))),
    blocks(text),
    parameters.length > 0 && table(`Parameters of ${id}`, ["Parameter", "In", "Type", "Meaning"], parameters.map((parameter) => [
      [el("code", {}, parameter.name), parameter.isRequired && el("span", { class: "docs-required" }, " required")],
      places[parameter.place],
      typeNodes(parameter.schema),
      [inline(parameter.text), parameter.example !== undefined && [" Example: ", el("code", {}, plain(parameter.example))]],
    ])),
    body && bodyPart(description, "Body", body),
    good.map((answer) => answerPart(description, answer)),
    bad.length > 0 && el(
      "details",
      { class: "docs-errors" },
      el("summary", {}, `Other answers of ${id}: ${bad.map(({ status }) => status).join(", ")}`),
      table(`Other answers of ${id}`, ["Status", "Meaning", "Body"], bad.map(({ status, text, schema }) => [el("code", {}, status), inline(text), schema ? typeNodes(schema) : ""])),
    ),
  );
}

function bodyPart(description, title, { type, schema, example, isRequired }) {
  const members = schema ? membersOf(description, schema) : [];
  return [
    el("h4", {}, title, " ", el("span", { class: "docs-muted" }, type, isRequired && ", required")),
    schema && el("p", {}, typeNodes(schema)),
    members.length > 0 && memberTable(`Members of the body`, members),
    exampleNode(example ?? (schema ? exampleOf(description, schema) : undefined), `Example: ${title}`),
  ];
}

function answerPart(description, { status, text, type, schema, example, headers }) {
  return [
    el("h4", {}, `Answer ${status} `, type && el("span", { class: "docs-muted" }, type)),
    blocks(text),
    schema && el("p", {}, typeNodes(schema)),
    headers.length > 0 && el("p", { class: "docs-muted" }, "Headers: ", headers.flatMap(({ name }, at) => [at > 0 && ", ", el("code", {}, name)])),
    type && exampleNode(example, `Example: answer ${status}`),
  ];
}

export function schemaArticle(description, name, schema) {
  const members = membersOf(description, schema);
  return el(
    "article",
    { class: "docs-call", id: schemaId(name), "aria-labelledby": `${schemaId(name)}-title`, tabindex: "-1" },
    el("h3", { class: "docs-call-title", id: `${schemaId(name)}-title` }, el("a", { href: `#${schemaId(name)}`, class: "docs-anchor" }, name)),
    el("p", {}, typeNodes(schema)),
    blocks(schema.description ?? ""),
    members.length > 0 && memberTable(`Members of ${name}`, members),
    exampleNode(schema.example, `Example: ${name}`),
  );
}

function memberTable(label, members) {
  return table(label, ["Member", "Type", "Meaning"], members.map(({ name, schema, isRequired, text }) => [
    [el("code", {}, name), isRequired && el("span", { class: "docs-required" }, " always")],
    typeNodes(schema),
    inline(text),
  ]));
}

/**
 * The table is in a group, which scrolls by keys. A region would make hundreds of landmarks, many of them with the same name.
 *
 * @param rows the cells of each row; the first cell is its heading
 */
export function table(label, heads, rows) {
  return el(
    "div",
    { class: "docs-table", role: "group", "aria-label": label, tabindex: "0" },
    el(
      "table",
      { "aria-label": label },
      el("thead", {}, el("tr", {}, heads.map((words) => el("th", { scope: "col" }, words)))),
      el("tbody", {}, rows.map(([first, ...rest]) => el("tr", {}, el("th", { scope: "row" }, first), rest.map((cell) => el("td", {}, cell))))),
    ),
  );
}

function exampleNode(example, label) {
  if (example === undefined) return null;
  const text = typeof example === "string" ? example : JSON.stringify(example, null, 2);
  return el("pre", { class: "docs-code", tabindex: "0", role: "group", "aria-label": label }, text);
}

function plain(example) {
  return typeof example === "string" ? example : JSON.stringify(example);
}
