// The dialog that copies an object as JSON, as a link, or as code that reads or updates it.

import { writeAddress } from "./address.js";
import { button } from "./buttons.js";
import { openDialog } from "./dialog.js";
import { el } from "./dom.js";
import { isDenied } from "./object-view.js";
import { t } from "./texts.js";
import { userFields, excerpt } from "./values.js";
import { languages, snippet } from "./snippets.js";

const formats = { json: "JSON", ...languages, link: t("Link") };
const verbs = { GET: t("Reads the object"), PUT: t("Updates the object") };
const verbsOfReader = { GET: verbs.GET };
/** The maximum number of characters of the code that the dialog shows. The copy is complete. */
const shownMax = 20_000;
/** The choices of the last dialog. */
const last = { format: "json", method: "GET" };

/**
 * @param object the object, as the gateway has returned it
 * @param caller {hasSession, isOwner, hasAccessKey}: which keys a request of the page has
 */
export function openCopyAs({ title, className, object, caller }) {
  const isReader = isDenied(object, "update");
  if (isReader) last.method = "GET";
  const code = el("pre", { class: "copy-code", tabindex: "0", role: "region", "aria-label": t("Code"), dir: "ltr" });
  const said = el("p", { class: "hint", role: "status" });
  const method = choices(t("What the code does"), "method", isReader ? verbsOfReader : verbs, () => draw());
  const frame = openDialog({
    title,
    className: "dialog-copy",
    content: el(
      "div",
      { class: "object-form" },
      el("div", { class: "form-rows" }, choices(t("Copy as"), "format", formats, () => draw()), method, code, said),
      el(
        "div",
        { class: "dialog-actions" },
        button(t("Done"), () => frame.close()),
        button(t("Copy"), copy, { className: "button-primary" }),
      ),
    ),
  });
  draw();
  frame.dialog.querySelector("input:checked").focus();

  function draw() {
    method.hidden = last.format === "json" || last.format === "link";
    code.textContent = excerpt(textOf(className, object, caller), shownMax);
    said.textContent = "";
  }

  async function copy() {
    try {
      await navigator.clipboard.writeText(textOf(className, object, caller));
      said.textContent = t("Copied.");
    } catch {
      // Without HTTPS, a browser gives a page no clipboard, except on this machine.
      code.textContent = textOf(className, object, caller);
      window.getSelection().selectAllChildren(code);
      said.textContent = t("The browser does not let the page copy. The text is selected: press Ctrl C.");
    }
  }
}

/** A group of radio buttons that sets one of the choices of the dialog. */
function choices(legend, name, options, onChange) {
  const option = ([value, words]) => {
    const choose = () => {
      last[name] = value;
      onChange();
    };
    const input = el("input", { type: "radio", name: `copy-${name}`, value, on: { change: choose } });
    input.checked = last[name] === value;
    return el("label", { class: "copy-choice" }, input, el("span", {}, words));
  };
  return el("fieldset", { class: "copy-choices" }, el("legend", { class: "label" }, legend), Object.entries(options).map(option));
}

function textOf(className, object, caller) {
  const { _sync, ...shown } = object;
  if (last.format === "json") return `${JSON.stringify(shown, null, 2)}\n`;
  if (last.format === "link") return new URL(writeAddress({ className, objectId: object.objectId }), document.baseURI).href;
  return snippet(last.format, callOf(className, object, caller), userFields(object));
}

/** The call that reads or updates an object. An update sets the present values, except the members of relations. */
function callOf(className, object, { hasSession, isOwner, hasAccessKey }) {
  const fields = Object.entries(userFields(object)).filter(([, value]) => value?.__type !== "Relation");
  return {
    base: new URL(".", document.baseURI).href,
    method: last.method,
    path: `classes/${encodeURIComponent(className)}/${encodeURIComponent(object.objectId)}`,
    headers: {
      ...(isOwner ? { "X-Parse-Master-Key": "" } : hasSession && { "X-Parse-Session-Token": "" }),
      ...(hasAccessKey && { "X-Tidegate-Access-Key": "" }),
    },
    body: last.method === "PUT" ? Object.fromEntries(fields) : undefined,
  };
}
