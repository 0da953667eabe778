// The API console: any call of the gateway's description, with the session of the page.

import { el, fill } from "../dom.js";
import { numberText, t } from "../texts.js";
import { toolLink } from "../system/tool-links.js";
import { buildCall } from "./call-page.js";
import { callsOf, groupsOf, matchingCalls } from "./description.js";

/** The description of the API, after it was read; null before. */
let read = null;
/** The requests that the console has sent, latest first: [{request, call, values, status, milliseconds}]. */
const sent = [];
const sentMax = 20;
/** The texts that the user has typed: a map from the name of a call to {parameters, body}. */
const typed = new Map();

/** Forgets the sent requests and the typed texts. */
export function forgetCalls() {
  sent.length = 0;
  typed.clear();
}

export const consoleTool = {
  heading: ([, id]) => (id === undefined ? { title: t("API console") } : { title: id, trail: [[t("API console"), ["console"]]] }),
  async build(context) {
    const [, id] = context.path;
    const description = await readDescription(context.api);
    if (description === null) return [el("p", {}, t("This gateway has no description of its API installed, so the page knows no calls to send."))];
    const calls = callsOf(description);
    const history = el("section", { class: "tool-section console-history" });
    const drawHistory = () => fill(history, historyNodes(context));
    drawHistory();
    if (id === undefined) return [...listNodes(description, calls), history];
    const call = calls.find((each) => each.id === id);
    if (!call) throw new Error(t("The description of the API has no such call."));
    const note = (entry) => {
      sent.unshift(entry);
      sent.length = Math.min(sent.length, sentMax);
      drawHistory();
    };
    return [...buildCall(context, { description, call, typed, note }), history];
  },
};

/** Resolves to the description of the API; null if the gateway has none installed. */
async function readDescription(api) {
  try {
    read ??= await api.description();
  } catch (error) {
    if (error.status !== 404) throw error;
  }
  return read;
}

/** The list of all calls, with a search field. */
function listNodes(description, calls) {
  const list = el("div", { class: "call-groups" });
  const none = el("p", { class: "hint", role: "status" });
  const search = el("input", { class: "input", type: "search", "aria-label": t("Find a call"), placeholder: t("Find a call"), autocomplete: "off", on: { input: draw } });
  draw();
  return [
    el("p", {}, t("Each call is sent with the session of this page. "), el("a", { href: "docs" }, t("The documentation of the API"))),
    el("div", { class: "tool-bar" }, search),
    list,
    none,
  ];

  function draw() {
    const found = matchingCalls(calls, search.value);
    fill(list, groupsOf(description, found).map(groupNode));
    none.textContent = found.length === 0 ? t("No call matches.") : "";
  }
}

function groupNode({ name, calls }) {
  const link = ({ id, method, path, summary }) =>
    el(
      "li",
      { class: "call-line" },
      el("span", { class: `call-method call-${method.toLowerCase()}` }, method),
      toolLink(breakable(path), ["console", id]),
      el("span", { class: "tool-muted" }, summary),
    );
  return el("section", { class: "tool-section" }, el("h2", { class: "tool-section-title" }, name), el("ul", { class: "call-list" }, calls.map(link)));
}

/** A path that may be broken before a slash, and not inside of a name. */
function breakable(path) {
  return path.split(/(?=\/)/).map((part, at) => [at > 0 && el("wbr"), part]);
}

function historyNodes({ goToTool, path }) {
  if (sent.length === 0) return [];
  const open = ({ call, values }) => {
    typed.set(call.id, { parameters: new Map(values.parameters), body: values.body });
    goToTool(["console", call.id]);
  };
  const row = (entry, at) =>
    el(
      "li",
      { class: "call-line" },
      el("span", { class: `call-method call-${entry.request.method.toLowerCase()}` }, entry.request.method),
      entry.call.id === path[1]
        ? el("span", { class: "call-target", dir: "auto" }, entry.target)
        : el("button", { class: "text-button", type: "button", data: { focus: `sent ${at}` }, on: { click: () => open(entry) } }, entry.target),
      el("span", { class: "tool-muted" }, `${entry.status}, ${numberText(entry.milliseconds)} ms`),
    );
  return [el("h2", { class: "tool-section-title" }, t("Sent by this page")), el("ul", { class: "call-list" }, sent.map(row))];
}
