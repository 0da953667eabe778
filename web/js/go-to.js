// The dialog that goes to a class, to a tool, or to an object by its name or its id.

import { openDialog } from "./dialog.js";
import { el, fill } from "./dom.js";
import { containing } from "./filters/pattern.js";
import { createGoKeys } from "./go-keys.js";
import { shownClasses, titleOf } from "./presentations.js";
import { t } from "./texts.js";
import { offeredTools } from "./system/tool-links.js";

/** The pause in typing, in milliseconds, after which the gateway searches for objects. */
const typingMs = 200;
/** The maximum numbers of classes that are searched, and of objects that are shown for each. */
const classesMax = 12;
const objectsMax = 4;
/** The minimum number of characters of a search for objects. */
const lengthMin = 2;

/** The query for the objects whose name or title contains a text, or whose id is the text. */
export function objectQuery(text) {
  return { $or: [{ name: containing(text) }, { title: containing(text) }, { objectId: text }] };
}

/**
 * @param goTo `(className, {objectId})`: shows a class, and opens an object of it
 * @param goToTool `(tool)`: shows a tool
 */
export function openGoTo({ api, state, goTo, goToTool }) {
  let latest = 0;
  let typing = null;
  const input = el("input", {
    class: "input",
    type: "search",
    placeholder: t("Class, name or id"),
    "aria-label": t("Class, name or id"),
    autocomplete: "off",
    on: { input: seek },
  });
  const classes = el("div", { class: "go-list" });
  const objects = el("div", { class: "go-list" });
  const hint = el("p", { class: "hint", role: "status" });
  const content = el("div", { class: "object-form" }, el("div", { class: "form-rows" }, input, classes, objects, hint));
  const frame = openDialog({ title: t("Go to"), className: "dialog-go", content });
  const keys = createGoKeys(content, input, [classes, objects]);
  seek();
  input.focus();

  function choose(className, objectId = null) {
    frame.close();
    goTo(className, { objectId });
  }

  function entry(className, words, objectId) {
    return el(
      "button",
      { class: "go-entry", type: "button", on: { click: () => choose(className, objectId) } },
      el("span", { class: "go-name", dir: "auto" }, words),
      objectId && el("span", { class: "go-class" }, `${titleOf(className)} ${objectId}`),
    );
  }

  function toolEntry(name, words) {
    const open = () => {
      frame.close();
      goToTool([name]);
    };
    const text = [el("span", { class: "go-name" }, words), el("span", { class: "go-class" }, t("Manage"))];
    return el("button", { class: "go-entry", type: "button", on: { click: open } }, text);
  }

  function seek() {
    const text = input.value.trim();
    const names = shownClasses(state.values).filter((name) => `${name} ${titleOf(name)}`.toLowerCase().includes(text.toLowerCase()));
    const tools = offeredTools(state.values).filter(([, words]) => words.toLowerCase().includes(text.toLowerCase()));
    fill(classes, names.map((name) => entry(name, titleOf(name))), tools.map(([name, words]) => toolEntry(name, words)));
    clearTimeout(typing);
    latest += 1;
    fill(objects);
    keys.mark();
    const isLong = text.length >= lengthMin;
    hint.textContent = isLong ? t("Searching …") : t("Type a name or an id to find an object.");
    if (isLong) typing = setTimeout(() => find(text), typingMs);
  }

  async function find(text) {
    const request = latest;
    const names = shownClasses(state.values).slice(0, classesMax);
    const read = (name) => api.find(name, { where: objectQuery(text), order: "-updatedAt", limit: objectsMax }).catch(() => []);
    const found = await Promise.all(names.map(read));
    if (request !== latest) return;
    const rows = found.flatMap((all, at) => all.map((object) => entry(names[at], textOf(object), object.objectId)));
    fill(objects, rows);
    keys.mark();
    hint.textContent = rows.length + classes.children.length === 0 ? t("Nothing has this name or id.") : "";
  }
}

function textOf({ name, title, objectId }) {
  return [name, title].find((text) => typeof text === "string" && text !== "") ?? objectId;
}
