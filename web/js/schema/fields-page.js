// The fields of a class: add a field, change whether it is required and its default value, and drop it.

import { writeAddress } from "../address.js";
import { button } from "../buttons.js";
import { ask } from "../dialog.js";
import { el } from "../dom.js";
import { inOrder } from "../field-types.js";
import { isReplica } from "../sync-text.js";
import { counted, t } from "../texts.js";
import { toolLink } from "../system/tool-links.js";
import { toolTable } from "../system/tool-table.js";
import { excerpt, valueText } from "../values.js";
import { isBuiltIn } from "./built-in.js";
import { dropClass } from "./drop-class.js";
import { openFieldForm } from "./field-form.js";

const columns = [
  { words: t("Field"), kind: "name" }, { words: t("Type") }, { words: t("Required") }, { words: t("Default value") }, { words: t("Actions"), kind: "actions" },
];
/** The maximum number of characters of a default value in the table. */
const shownMax = 200;

export async function buildFields(context, className) {
  const { owner, state, perform, reload, services, forgetTypes, takeFields } = context;
  const [schema, schemas] = await Promise.all([owner.schema(className), owner.schemas()]);
  const { fields } = schema;
  // A replica asks its gateway, which may fetch only some of the fields.
  if (!isReplica(state.values)) takeFields(className, fields);
  const names = Object.keys(fields);
  const own = names.filter((name) => !isBuiltIn(className, name));
  const shown = [...inOrder(own), ...names.filter((name) => isBuiltIn(className, name))];
  const form = (field) =>
    openFieldForm({
      className,
      field,
      names,
      classes: schemas.map((each) => each.className),
      services,
      async save(name, options) {
        await owner.changeClass(className, { fields: { [name]: options } });
        forgetTypes(className);
        await reload();
      },
    });
  return [
    el(
      "div",
      { class: "tool-bar" },
      button(t("Add field"), () => form(null), { className: "button-primary", focus: "add field" }),
      el("a", { href: writeAddress({ className }), class: "tool-link" }, t("Show the objects")),
    ),
    isReplica(state.values) && el("p", { class: "hint" }, t("The remote has this schema. A change is made on the remote at once, and needs a connection to it.")),
    toolTable(t("Fields of {className}", { className }), columns, shown.map((name) => row(name, fields[name]))),
    el("p", { class: "hint" }, t("Parse can neither rename a field nor change its type. Add a field, copy the values with a program, and then drop the old field. Programs that write the old field meanwhile keep writing it.")),
    !className.startsWith("_") && el(
      "section",
      { class: "tool-section" },
      el("h2", { class: "tool-section-title" }, t("Drop the class")),
      el("p", {}, t("Parse drops only an empty class.")),
      el("p", {}, button(t("Drop the class"), () => dropClass(context, className), { className: "button-danger-quiet", focus: "drop class" })),
    ),
  ].filter(Boolean);

  function row(name, { type, targetClass, required, defaultValue }) {
    const isFixed = isBuiltIn(className, name);
    const cells = [
      el("span", { dir: "auto" }, name),
      targetClass ? [t("{type} to ", { type }), toolLink(targetClass, ["schema", targetClass])] : type,
      required === true ? t("Yes") : t("No"),
      defaultValue === undefined ? "" : el("span", { dir: "auto" }, excerpt(valueText(defaultValue), shownMax)),
      isFixed
        ? el("span", { class: "tool-muted" }, t("Built in"))
        : el(
            "span",
            { class: "tool-actions" },
            type !== "Relation" && button([t("Change"), hidden(name)], () => form({ name, type, targetClass, required, defaultValue }), { className: "button-small", focus: `change ${name}` }),
            button([t("Drop"), hidden(name)], () => drop(name, type), { className: "button-small button-danger-quiet", focus: `drop ${name}` }),
          ),
    ];
    return { name, cells };
  }

  async function drop(name, type) {
    const lost = await whatIsLost(owner, className, name, type);
    const text = `${lost} ${t("This cannot be undone.")}`;
    if (!(await ask({ title: t("Drop the field {name} of {className}?", { name, className }), text, yes: t("Drop the field"), danger: true }))) return;
    await perform(async () => {
      await owner.changeClass(className, { fields: { [name]: { __op: "Delete" } } });
      forgetTypes(className);
    }, t("The field {name} is dropped.", { name }));
  }
}

const hidden = (name) => el("span", { class: "visually-hidden" }, ` ${name}`);

/** Says how many values a field has, as far as the gateway tells. */
async function whatIsLost(owner, className, name, type) {
  if (type === "Relation") return t("The relation is deleted with its members in all objects.");
  try {
    const count = await owner.count(className, { [name]: { $exists: true } });
    return count === 0 ? t("The gateway has no object with a value in it.") : t("Its values in {objects} are deleted.", { objects: counted(count, "object") });
  } catch {
    return t("Its values in all objects are deleted.");
  }
}
