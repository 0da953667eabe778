// The tool that exports a class as a file and imports a file into a class.

import { exportSection } from "./export-section.js";
import { isDeniedInClass } from "../class-rights.js";
import { field } from "./formats.js";
import { importSection } from "./import-section.js";
import { isClassName } from "../schema/built-in.js";
import { toolLink } from "../system/tool-links.js";
import { el } from "../dom.js";
import { t } from "../texts.js";
import { takesUsers } from "../users.js";

/** The class that the user has just chosen; null for none. Its page keeps the focus in the choice. */
let chosen = null;

export const transferTool = {
  heading: ([, className]) =>
    className === undefined
      ? { title: t("Export and import") }
      : { title: t("Export and import {className}", { className }), trail: [[t("Export and import"), ["transfer"]]] },
  async build(context) {
    const [, className, ...rest] = context.path;
    const { status, user, isOwner } = context.state.values;
    if (className === undefined) return classLinks(status?.classes ?? []);
    if (!isClassName(className) || rest.length > 0) throw new Error(t("The address names no class."));
    const isAnonymous = takesUsers(status) && user === null && !isOwner;
    return [
      classChoice(context, className),
      isAnonymous && el("p", { class: "hint" }, t("You are not signed in. An export has the objects that everyone may read, and an import makes the changes that everyone may make.")),
      isOwner || isListed(status, className)
        ? exportSection(context, className)
        : el("p", { class: "hint" }, t("There is no class {className} here that you may read, so there is nothing to export.", { className })),
      mayImport(context.state.values, className) ? importSection(context, className) : importWithKey(context, className),
    ].filter(Boolean);
  },
};

/** The choice of the class, for a gateway with several; null for none. */
function classChoice({ state, goToTool }, className) {
  const names = (state.values.status?.classes ?? []).map(({ name }) => name);
  if (!names.includes(className)) names.unshift(className);
  if (names.length < 2) return null;
  const choose = () => {
    chosen = control.value;
    goToTool(["transfer", chosen]);
  };
  const { node, control } = field("transfer-class", t("Class"), el("select", { class: "input", id: "transfer-class", on: { change: choose } }, names.map((name) => el("option", { value: name }, name))));
  control.value = className;
  if (chosen === className) requestAnimationFrame(() => control.focus({ preventScroll: true }));
  chosen = null;
  return el("div", { class: "transfer-section" }, node);
}

/** Whether the present user may add or change objects of a class. */
function mayImport(values, className) {
  return ["create", "update"].some((write) => !isDeniedInClass(values, className, write));
}

/** The import for a user without the right to write, who needs a maintenance key. It is closed at first. */
function importWithKey(context, className) {
  return el(
    "details",
    {},
    el("summary", {}, t("Import with a maintenance key")),
    el("p", { class: "hint" }, t("You may not add or change objects of {className}.", { className })),
    importSection(context, className),
  );
}

/** Whether the gateway has a class that the present user may read. Before the first status, that is unknown. */
function isListed(status, className) {
  return status?.classes === undefined || status.classes.some(({ name }) => name === className);
}

function classLinks(classes) {
  if (classes.length === 0) return [el("p", { class: "hint" }, t("There is no class yet. The address #/-/transfer/Name imports into a new class."))];
  return [
    el("p", { class: "hint" }, t("Choose the class whose objects you want to export, or into which you want to import.")),
    el("ul", { class: "transfer-classes" }, classes.map(({ name }) => el("li", {}, toolLink(name, ["transfer", name])))),
  ];
}
