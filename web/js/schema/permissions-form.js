// The permissions of a class as a form: who may carry out each operation, and which fields are hidden from whom.

import { operations } from "../acl-text.js";
import { button, iconButton, visuallyHidden } from "../buttons.js";
import { el } from "../dom.js";
import { isBuiltIn } from "./built-in.js";
import { openEntityDialog } from "./entity-dialog.js";
import * as rules from "./permission-rules.js";
import { t } from "../texts.js";

const userFields = [
  ["readUserFields", t("Read by pointer"), t("may read, whatever the operations above say")],
  ["writeUserFields", t("Write by pointer"), t("may change and delete, whatever the operations above say")],
];
/** The operations at which no object names its users. */
const withoutObject = ["create", "addField"];
const groupNames = [["*", t("Everybody")], ["authenticated", t("Signed-in users")]];
let count = 0;

/**
 * The nodes of the form.
 *
 * @param fields the fields of the class
 * @param objects known objects of the class
 * @param names the names of users by their ids, to which the form adds the chosen users
 * @param change `(permissions)`: takes the changed permissions, and draws the form again
 */
export function permissionsForm({ className, permissions, fields, objects, names, owner, change }) {
  const pointers = rules.userFieldNames(fields, objects);
  return [
    el("section", { class: "tool-section" }, el("h2", { class: "tool-section-title" }, t("Operations")), operations.map(operationRow)),
    pointers.length > 0 && el("section", { class: "tool-section" }, el("h2", { class: "tool-section-title" }, t("Users in fields of the object")), userFields.map(userFieldRow)),
    protectedSection(),
  ];

  function operationRow([operation, label]) {
    const set = (entity, isAllowed) => change(rules.withGrant(permissions, operation, entity, isAllowed));
    const held = rules.pointerFieldsOf(permissions, operation);
    const offered = withoutObject.includes(operation) ? held : [...new Set([...pointers, ...held])];
    const add = () =>
      openEntityDialog({
        title: t("{label}: add a user or role", { label }),
        owner,
        choose(entity, words) {
          if (!entity.startsWith("role:")) names.set(entity, words);
          set(entity, true);
        },
      });
    return group(
      label,
      box(t("Everybody"), `${operation} *`, rules.allows(permissions, operation, "*"), (flag) => set("*", flag)),
      box(t("Signed-in users"), `${operation} users`, rules.allows(permissions, operation, "requiresAuthentication"), (flag) => set("requiresAuthentication", flag)),
      offered.map((field) =>
        box(t("Users in {field}", { field }), `${operation} in ${field}`, held.includes(field), (flag) => change(rules.withPointerField(permissions, operation, field, flag))),
      ),
      rules.entitiesOf(permissions, operation).map((entity) => chip(entityName(entity), label, `${operation} ${entity}`, () => set(entity, false))),
      button([t("Add"), visuallyHidden(t(" a user or role: {label}", { label }))], add, { className: "button-small", focus: `${operation} add` }),
    );
  }

  function userFieldRow([member, label, hint]) {
    const held = rules.userFieldsOf(permissions, member);
    return group(
      label,
      [...new Set([...pointers, ...held])].map((field) =>
        box(t("Users in {field}", { field }), `${member} ${field}`, held.includes(field), (flag) => change(rules.withUserField(permissions, member, field, flag))),
      ),
      el("span", { class: "hint" }, hint),
    );
  }

  function protectedSection() {
    const groups = rules.groupsOf(permissions);
    const fixed = [...groupNames, ...pointers.map((field) => [`userField:${field}`, t("Users in {field}", { field })])].filter(([name]) => !groups.includes(name));
    const add = () =>
      openEntityDialog({
        title: t("Hide fields from"),
        fixed,
        owner,
        choose(entity, words) {
          const isUser = !/^(\*|authenticated)$|^(role|userField):/.test(entity);
          if (isUser) names.set(entity, words);
          if (!groups.includes(entity)) change(rules.withGroup(permissions, entity, []));
        },
      });
    return el(
      "section",
      { class: "tool-section" },
      el("h2", { class: "tool-section-title" }, t("Hidden fields")),
      el("p", { class: "hint" }, t("A user who belongs to several groups does not see the fields that are hidden from all of these groups.")),
      groups.map(groupRow),
      el("p", {}, button(t("Add a group"), add, { className: "button-small", focus: "group add" })),
    );
  }

  function groupRow(name) {
    const hidden = rules.protectedFor(permissions, name);
    const offered = [...new Set([...Object.keys(fields).filter((field) => !isBuiltIn("", field)), ...hidden])];
    return group(
      groupName(name),
      offered.map((field) => box(field, `hide ${name} ${field}`, hidden.includes(field), (flag) => change(rules.withProtected(permissions, name, field, flag)))),
      iconButton(t("Remove the group {name}", { name: groupName(name) }), "close", () => change(rules.withGroup(permissions, name, null)), { focus: `group ${name}` }),
    );
  }

  function entityName(entity) {
    return entity.startsWith("role:") ? t("Role {name}", { name: entity.slice(5) }) : t("User {name}", { name: names.get(entity) ?? entity });
  }

  function groupName(name) {
    if (name.startsWith("userField:")) return t("Users in {name}", { name: name.slice(10) });
    return groupNames.find(([group]) => group === name)?.[1] ?? entityName(name);
  }

  /** One line of the form: a label, and its controls. */
  function group(label, ...content) {
    const id = `permission-${++count}`;
    return el(
      "div",
      { class: "permission-row", role: "group", "aria-labelledby": id, data: { name: `${className} ${label}` } },
      el("span", { class: "permission-label", id, dir: "auto" }, label),
      el("div", { class: "permission-choices" }, content),
    );
  }
}

function box(label, focus, isChecked, set) {
  const input = el("input", { type: "checkbox", checked: isChecked, data: { focus }, on: { change: () => set(input.checked) } });
  return el("label", { class: "check-row" }, input, el("span", { dir: "auto" }, label));
}

function chip(words, label, focus, remove) {
  return el("span", { class: "permission-chip" }, el("span", { dir: "auto" }, words), iconButton(t("Remove {words}: {label}", { words, label }), "close", remove, { focus }));
}
