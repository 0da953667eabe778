// The view of the tools that the page shows in place of a class: schema, users, roles, sessions, system and the API console.

import { ApiError, StoppedError, SupersededError } from "../api.js";
import { button } from "../buttons.js";
import { isFocusLost } from "../dialog.js";
import { el, fill, fillWhenChanged } from "../dom.js";
import { ownValue } from "../records.js";
import { t } from "../texts.js";
import { toolLink } from "./tool-links.js";

/**
 * @param main the main view, in which a tool replaces the class
 * @param tools the tools by the first part of their address: {heading, key, build}. `heading(path)` returns {title, trail, tabs}:
 *   the links above and below the title, as [[words, path]]. `key` names the key that a tool needs. `build(context)` resolves to
 *   the nodes of the tool.
 * @param keys the master keys of the tools
 * @param shared what each context has besides its own members
 */
export function showToolView(main, { state, tools, keys, notices, shared }) {
  const trail = el("nav", { class: "tool-trail", "aria-label": t("Above this page") });
  const title = el("h1", { class: "view-title", tabindex: "-1", dir: "auto" });
  const forget = el("p", { class: "tool-forget" });
  const tabs = el("nav", { class: "tool-tabs", "aria-label": t("Parts") });
  const problem = el("div", { class: "form-problem", role: "alert", hidden: true });
  const body = el("div", { class: "tool-body" });
  const container = el("div", { class: "tool-view" }, trail, el("header", { class: "view-head" }, title, forget), tabs, problem, body);
  let drawn = null;
  let requests = 0;
  let leaving = new AbortController();

  state.show((values) => {
    const { tool } = values;
    attach(tool !== null);
    const stamp = tool === null ? null : JSON.stringify([tool, keys.stamp(values)]);
    if (stamp === drawn) return;
    const isOther = drawn === null || stamp === null || JSON.parse(drawn)[0].join("/") !== tool.join("/");
    drawn = stamp;
    leaving.abort();
    leaving = new AbortController();
    requests += 1;
    if (tool !== null) open(tool, isOther);
  });

  /** Adds the view to the main view, or removes it. */
  function attach(isShown) {
    main.classList.toggle("has-tool", isShown);
    if (isShown === container.isConnected) return;
    if (isShown) return main.append(container);
    const held = container.contains(document.activeElement);
    container.remove();
    if (held) main.focus({ preventScroll: true });
  }

  /** Whether a node is the main view or a part of the class that the tool hides. */
  function isInClass(node) {
    return main.contains(node) && !container.contains(node);
  }

  function open(path, isOther) {
    const heading = ownValue(tools, path[0])?.heading(path) ?? { title: t("There is no such page") };
    title.textContent = heading.title;
    document.title = `${heading.title} · Tidegate`;
    const links = (list) => (list ?? []).map(([words, to]) => toolLink(words, to, to.join("/") === path.join("/")));
    fillWhenChanged(trail, JSON.stringify(heading.trail ?? []), () => links(heading.trail));
    trail.hidden = !heading.trail;
    fillWhenChanged(tabs, JSON.stringify([heading.tabs ?? [], path]), () => links(heading.tabs));
    tabs.hidden = !heading.tabs;
    problem.hidden = true;
    if (isOther) {
      fillWhenChanged(body, `${++requests}`, () => el("p", { class: "hint" }, t("Reading …")));
      main.scrollTop = 0;
    }
    // The focus stays in the header, in the sidebar and on a tab. A lost one, and one in the hidden class, go to the title.
    if (isOther && (isFocusLost() || isInClass(document.activeElement))) title.focus({ preventScroll: true });
    draw(path);
  }

  /** Reads the shown tool again. Only the answer to the latest request is shown. */
  async function draw(path) {
    const request = ++requests;
    const { signal } = leaving;
    const tool = ownValue(tools, path[0]);
    const kind = tool?.key?.(path, state.values) ?? null;
    drawForget(kind);
    if (!tool) return show(request, el("p", {}, t("The address names no page of Tidegate.")));
    // The tool is drawn again as soon as the page knows the mode of the gateway.
    if (state.values.status === null && kind !== null) return;
    if (kind !== null && keys.isMissing(kind)) return show(request, keyPrompt(kind));
    const reload = () => (signal.aborted ? undefined : draw(path));
    const context = { ...shared, path, state, notices, signal, reload, perform, owner: keys.owner(), system: keys.system() };
    try {
      show(request, await tool.build(context));
    } catch (error) {
      if (error instanceof SupersededError || error instanceof StoppedError || signal.aborted) return;
      if (request !== requests) return;
      const isRefused = error instanceof ApiError && error.status === 403 && kind !== null;
      if (isRefused && !keys.isUsed(kind)) return show(request, keyPrompt(kind));
      tell(error, [
        button(t("Try again"), reload, { className: "button-small" }),
        isRefused && button(t("Enter another master key"), () => keys.ask(kind), { className: "button-small" }),
      ]);
      fillWhenChanged(body, `${request} failed`, () => []);
    }

    /** Runs a request, then reads the tool again. Shows the error of a failed request. */
    async function perform(work, words) {
      try {
        await work();
        if (words) notices.announce(words);
        await reload();
      } catch (error) {
        if (!signal.aborted) tell(error);
      }
    }
  }

  function show(request, nodes) {
    if (request !== requests) return;
    problem.hidden = true;
    fillWhenChanged(body, String(request), () => nodes);
  }

  function tell(error, buttons = []) {
    problem.hidden = false;
    fill(problem, el("p", { dir: "auto" }, error.message), buttons);
    problem.scrollIntoView({ block: "nearest" });
  }

  function keyPrompt(kind) {
    return el("div", { class: "tool-key" }, el("p", {}, keys.reason(kind)), button(t("Enter the master key"), () => keys.ask(kind), { className: "button-primary" }));
  }

  function drawForget(kind) {
    const isHeld = kind !== null && keys.holds(kind);
    fill(forget, isHeld && button(t("Forget the key"), () => keys.forget(kind), { className: "button-quiet button-small" }));
    forget.hidden = !isHeld;
  }
}
