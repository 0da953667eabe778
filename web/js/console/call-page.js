// The page of one call in the console: its form, the answer, and the request in other languages.

import { button } from "../buttons.js";
import { ask } from "../dialog.js";
import { el, fill } from "../dom.js";
import { formatBytes } from "../byte-size.js";
import { shownClasses } from "../presentations.js";
import { t } from "../texts.js";
import { excerpt } from "../values.js";
import { answerNodes, readBody } from "./answer-view.js";
import { callForm, startValues } from "./call-form.js";
import { blocks } from "./markup.js";
import { isDangerous, operates, requestOf, targetOf } from "./request.js";
import { languages, snippet } from "./snippet.js";

const targetMax = 200;
/** The language that the user has chosen last. */
let language = "curl";

/**
 * @param typed the texts that the user has typed: a map from the name of a call
 * @param note `(entry)`: remembers a sent request
 */
export function buildCall(context, { description, call, typed, note }) {
  const { api, state, signal } = context;
  if (!typed.has(call.id)) typed.set(call.id, startValues(description, call, state.values.className));
  const values = typed.get(call.id);
  const form = callForm({ description, call, values, classes: shownClasses(state.values), onInput: drawSnippet });
  const problem = el("p", { class: "form-problem", role: "alert", dir: "auto", hidden: true });
  const answer = el("section", { class: "tool-section", "aria-label": t("Answer") });
  const source = el("pre", { class: "tool-code console-snippet", tabindex: "0", role: "region", "aria-label": t("Source text") });
  const tabs = el("div", { class: "view-switch", role: "group", "aria-label": t("Language") });
  const sendButton = button(t("Send"), send, { className: "button-primary" });
  const stopButton = button(t("Stop"), () => running?.abort(), { className: "button-small" });
  let running = null;
  stopButton.hidden = true;
  drawTabs();
  drawSnippet();
  signal.addEventListener("abort", () => running?.abort());
  return [
    el("p", { class: "call-title" }, el("span", { class: `call-method call-${call.method.toLowerCase()}` }, call.method), " ", el("code", {}, call.path)),
    el("p", { dir: "auto" }, call.summary, call.needsMasterKey && t(" Needs the master key.")),
    call.text && el("details", { class: "form-more" }, el("summary", {}, t("Description")), el("div", { class: "call-text" }, blocks(call.text))),
    el("form", { class: "call-page", novalidate: true, on: { submit: (event) => (event.preventDefault(), send()) } }, form.node, problem, el("p", { class: "tool-bar" }, sendButton, stopButton)),
    answer,
    el(
      "section",
      { class: "tool-section" },
      el("h2", { class: "tool-section-title" }, t("The same in")),
      el("div", { class: "tool-bar" }, tabs, button(t("Copy"), () => navigator.clipboard?.writeText(source.textContent), { className: "button-small" })),
      source,
    ),
  ].filter(Boolean);

  /** Sends the request, after a question if it deletes something. */
  async function send() {
    let request;
    try {
      request = requestOf(call, values);
    } catch (error) {
      return tell(error.message);
    }
    problem.hidden = true;
    if (isDangerous(request)) {
      const text = t("The call deletes or ends what it names. This cannot be undone.");
      const title = t("Send {method} {path}?", { method: request.method, path: excerpt(targetOf(request), targetMax) });
      if (!(await ask({ title, text, yes: t("Send"), danger: true }))) return;
    }
    if (running !== null) return;
    running = new AbortController();
    setRunning(true);
    const start = performance.now();
    try {
      const file = form.file();
      const response = await api.request(request.method, targetOf(request).slice(1), {
        headers: headersOf(request, file),
        body: file ?? request.body ?? undefined,
        signal: running.signal,
        operates: operates(request),
      });
      const { blob, isCut } = await readBody(response, running.signal);
      const milliseconds = Math.round(performance.now() - start);
      const { status, statusText, headers } = response;
      if (signal.aborted) return;
      note({ call, request, target: excerpt(targetOf(request), targetMax), values: { parameters: new Map(values.parameters), body: values.body }, status, milliseconds });
      fill(answer, await answerNodes({ status, statusText, headers: [...headers], blob, isCut, milliseconds, name: `${call.id}.${/json/.test(blob.type) ? "json" : "txt"}` }));
    } catch (error) {
      if (!signal.aborted) tell(error.message);
    } finally {
      running = null;
      setRunning(false);
    }
  }

  function headersOf({ headers, body }, file) {
    if (file) return Object.fromEntries([...headers, ["Content-Type", file.type || "application/octet-stream"]]);
    const type = call.body?.type === "*/*" ? "text/plain" : call.body?.type;
    return Object.fromEntries([...headers, ...(body === null ? [] : [["Content-Type", type]])]);
  }

  function setRunning(flag) {
    sendButton.setAttribute("aria-disabled", String(flag));
    stopButton.hidden = !flag;
    if (!flag && document.activeElement === stopButton) sendButton.focus();
  }

  function tell(words) {
    problem.textContent = words;
    problem.hidden = false;
  }

  function drawTabs() {
    const choose = (key) => () => {
      language = key;
      drawTabs();
      drawSnippet();
      tabs.querySelector('[aria-pressed="true"]').focus();
    };
    fill(tabs, Object.entries(languages).map(([key, words]) =>
      el("button", { class: "view-choice", type: "button", "aria-pressed": String(key === language), on: { click: choose(key) } }, words),
    ));
  }

  /** Shows the request in the chosen language. A parameter without a value stays in braces. */
  function drawSnippet() {
    const file = form.file();
    try {
      const request = requestOf(call, { ...values, parameters: withNames(call, values.parameters) });
      const credentials = api.credentialNames(operates(request)).map((name) => [name, placeholderOf(name)]);
      const path = new URL(targetOf({ ...request, query: [] }).slice(1), document.baseURI).href;
      const headers = [...credentials, ...Object.entries(headersOf(request, file))];
      const body = file ? `(the ${formatBytes(file.size)} of ${file.name})` : request.body;
      source.textContent = snippet(language, { ...request, path, headers, body });
    } catch (error) {
      source.textContent = error.message;
    }
  }
}

/** The parameters, with the name of each missing required parameter in place of its value. */
function withNames(call, parameters) {
  const missing = call.parameters.filter(({ place, name, isRequired }) => isRequired && !parameters.has(`${place} ${name}`));
  return new Map([...parameters, ...missing.map(({ place, name }) => [`${place} ${name}`, name.toUpperCase()])]);
}

/** The text in place of a credential, such as YOUR_SESSION_TOKEN. */
function placeholderOf(name) {
  return `YOUR_${name.replace(/^X-(Parse|Tidegate)-/, "").replaceAll("-", "_").toUpperCase()}`;
}
