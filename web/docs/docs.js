// The documentation of the API at /docs, made from the gateway's description of itself.

import { createAccessKey } from "../js/access-key.js";
import { callsOf, groupsOf, matchingCalls } from "../js/console/description.js";
import { blocks } from "../js/console/markup.js";
import { el, fill } from "../js/dom.js";
import { callArticle, schemaArticle, table } from "./articles.js";
import { schemaId } from "./type-text.js";

const byId = (id) => document.getElementById(id);
const accessKey = createAccessKey();
const root = new URL("../", import.meta.url);

await show();

async function show() {
  const key = accessKey.get();
  const headers = { "X-Tidegate-Page": "1", ...(key && { "X-Tidegate-Access-Key": key }) };
  const response = await fetch(new URL("openapi.json", root), { headers, cache: "no-store", credentials: "omit" }).catch(() => null);
  if (response?.ok) return draw(await response.json());
  if (response?.status === 403) return askForKey();
  byId("docs-wait").textContent = response === null ? "Tidegate is not responding. Reload the page when it runs." : `The gateway answered with status ${response.status}.`;
}

/** Asks for the access key of the gateway. */
function askForKey() {
  const input = el("input", { class: "input", id: "docs-key", type: "password", autocomplete: "off", required: true });
  const take = (event) => {
    event.preventDefault();
    accessKey.set(input.value.trim());
    show();
  };
  const words = accessKey.get() ? "The gateway did not accept the access key." : "The gateway requires its access key.";
  fill(byId("docs-wait"), el("form", { class: "docs-key", on: { submit: take } }, el("label", { for: input.id }, words), input, el("button", { class: "button button-primary" }, "Open")));
  input.focus();
}

function draw(description) {
  const calls = callsOf(description);
  const schemas = Object.entries(description.components?.schemas ?? {});
  const { title, version, description: text = "" } = description.info ?? {};
  const keys = Object.entries(description.components?.securitySchemes ?? {});
  const consoleAddress = (id) => new URL(`#/-/console/${encodeURIComponent(id)}`, root).href;
  fill(
    byId("docs-main"),
    el("h1", { class: "docs-title" }, title ?? "API"),
    el("p", { class: "docs-muted" }, `Version ${version ?? "unknown"}. `, el("a", { href: new URL("openapi.yaml", root).href }, "The description in YAML")),
    el("section", { class: "docs-group docs-intro" }, blocks(text)),
    el("section", { class: "docs-group docs-intro" }, el("h2", {}, "Keys and sessions"), table("Keys and sessions", ["Key", "Sent as", "Meaning"], keys.map(([name, scheme]) => [
      name, el("code", {}, scheme.name ?? `Authorization: ${scheme.scheme}`), blocks(scheme.description ?? ""),
    ]))),
    groupsOf(description, calls).map((group) =>
      el("section", { class: "docs-group" }, el("h2", {}, group.name), blocks(group.text), group.calls.map((call) => callArticle(description, call, consoleAddress))),
    ),
    el("section", { class: "docs-group" }, el("h2", {}, "Schemas"), schemas.map(([name, schema]) => schemaArticle(description, name, schema))),
  );
  drawNav(description, calls, schemas);
  showAddressed();
}

/** Draws the list of calls and schemas, and the search that shortens the list and the page. */
function drawNav(description, calls, schemas) {
  const search = el("input", { class: "input", id: "docs-find", type: "search", "aria-label": "Search the API", placeholder: "Search", autocomplete: "off", on: { input: seek } });
  const list = el("div", {});
  fill(byId("docs-search"), search);
  fill(byId("docs-nav"), list);
  window.addEventListener("hashchange", () => {
    // A search must not hide the section of a link.
    if (addressed()?.closest("[hidden]")) {
      search.value = "";
      seek();
    }
    showAddressed();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.closest("input, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    search.focus();
  });
  seek();

  function seek() {
    const text = search.value.trim();
    const found = matchingCalls(calls, text);
    const foundSchemas = schemas.filter(([name]) => name.toLowerCase().includes(text.toLowerCase()));
    const entry = (id, ...words) => el("li", {}, el("a", { href: `#${id}` }, words));
    fill(
      list,
      groupsOf(description, found).map((group) => [
        el("h2", {}, group.name),
        el("ul", {}, group.calls.map(({ id, method, path }) => entry(id, el("span", { class: `docs-method docs-${method.toLowerCase()}` }, method), ` ${path}`))),
      ]),
      foundSchemas.length > 0 && [el("h2", {}, "Schemas"), el("ul", {}, foundSchemas.map(([name]) => entry(schemaId(name), name)))],
    );
    const shown = new Set([...found.map(({ id }) => id), ...foundSchemas.map(([name]) => schemaId(name))]);
    for (const article of document.querySelectorAll(".docs-call")) article.hidden = !shown.has(article.id);
    for (const group of document.querySelectorAll(".docs-group")) group.hidden = text !== "" && !group.querySelector(".docs-call:not([hidden])");
    byId("docs-status").textContent = text === "" ? "" : `${found.length} calls and ${foundSchemas.length} schemas match.`;
  }
}

/** The section that the address names; null for none. */
function addressed() {
  try {
    return byId(decodeURIComponent(location.hash.slice(1)));
  } catch {
    return null;
  }
}

function showAddressed() {
  const section = addressed();
  if (!section?.matches(".docs-call")) return;
  section.scrollIntoView();
  // The user may have moved on inside of the section.
  if (!section.contains(document.activeElement)) section.focus({ preventScroll: true });
  document.title = `${section.querySelector("h3").textContent} · Tidegate`;
}

// On paper, nothing can be opened.
window.addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details:not([open])")) {
    details.open = true;
    details.dataset.wasClosed = "";
  }
});
window.addEventListener("afterprint", () => {
  for (const details of document.querySelectorAll("details[data-was-closed]")) {
    details.open = false;
    delete details.dataset.wasClosed;
  }
});
