// The list of all classes with their fields and permissions. It adds classes.

import { permissionText } from "../acl-text.js";
import { button } from "../buttons.js";
import { el } from "../dom.js";
import { fieldRow } from "../editors/field-row.js";
import { openForm } from "../form.js";
import { isReplica } from "../sync-text.js";
import { numberText, t } from "../texts.js";
import { toolLink } from "../system/tool-links.js";
import { toolTable } from "../system/tool-table.js";
import { isBuiltIn, isClassName } from "./built-in.js";

export async function buildClassList({ owner, state, reload, goToTool }) {
  const columns = [
    { words: t("Class"), kind: "name" }, { words: isReplica(state.values) ? t("Objects here") : t("Objects"), kind: "number" },
    { words: t("Own fields"), kind: "number" }, { words: t("Who may list") }, { words: t("Who may change") },
  ];
  const counts = new Map((state.values.status?.classes ?? []).map(({ name, objects }) => [name, objects]));
  const schemas = await owner.schemas();
  const sorted = [...schemas].sort((one, other) => rank(one) - rank(other) || one.className.localeCompare(other.className));
  return [
    el("div", { class: "tool-bar" }, button(t("New class"), openClassForm, { className: "button-primary", focus: "new class" })),
    sorted.length === 0 ? el("p", { class: "hint" }, t("There are no classes yet.")) : toolTable(t("Classes"), columns, sorted.map((schema) => row(schema, counts))),
  ];

  function openClassForm() {
    const hint = t("Letters, digits and _. Parse cannot rename a class later.");
    const name = fieldRow({ name: "className", label: t("Name of the class"), kind: "text", required: true, hint });
    const { check } = name;
    name.check = () => check() && (isClassName(name.control.value.trim()) || name.showError(t("Start with a letter. Use only letters, digits and _.")));
    openForm({
      title: t("New class"),
      rows: [name],
      body: name.node,
      saveLabel: t("Create"),
      async submit() {
        const className = name.control.value.trim();
        await owner.createClass(className);
        await reload();
        goToTool(["schema", className]);
      },
    });
  }
}

const rank = ({ className }) => (className.startsWith("_") ? 1 : 0);

function row({ className, fields, classLevelPermissions = {} }, counts) {
  const own = Object.keys(fields).filter((name) => !isBuiltIn(className, name)).length;
  return {
    name: className,
    cells: [
      toolLink(className, ["schema", className]),
      counts.has(className) ? numberText(counts.get(className)) : "–",
      String(own),
      el("span", { dir: "auto" }, permissionText(classLevelPermissions.find)),
      el("span", { dir: "auto" }, permissionText(classLevelPermissions.update)),
    ],
  };
}
