// The form that edits an object's ACL. A sentence above the rows says in words what the ACL allows.

import { aclText } from "./acl-text.js";
import { button } from "./buttons.js";
import { el, fill } from "./dom.js";
import { fieldRow } from "./editors/field-row.js";
import { openForm } from "./form.js";
import { record } from "./records.js";
import { t } from "./texts.js";

const levels = [
  ["none", t("Nothing")],
  ["read", t("Read")],
  ["write", t("Read and write")],
  ["only-write", t("Write, not read")],
];

function levelOf(grant) {
  if (grant?.read === true) return grant.write === true ? "write" : "read";
  return grant?.write === true ? "only-write" : "none";
}

function grantOf(level) {
  return { read: { read: true }, write: { read: true, write: true }, "only-write": { write: true } }[level];
}

/**
 * @param title the title of the form
 * @param acl the object's ACL; undefined for an object without one, which everybody may read and write
 * @param people {users, roles, isComplete}: the known users and roles of the gateway, and whether there are no others
 * @param save `(acl)`: saves the ACL; an error keeps the form open
 */
export function openAclForm({ title, acl, people, save }) {
  const before = acl ?? { "*": { read: true, write: true } };
  const rows = [];
  const list = el("div", { class: "form-more-rows" });
  const sentence = el("p", { class: "acl-sentence", role: "status" });
  const names = new Map([
    ["*", t("Everybody")],
    ...people.roles.map(({ name }) => [`role:${name}`, t("The role {name}", { name })]),
    ...people.users.map(({ objectId, username }) => [objectId, username ?? objectId]),
  ]);
  const select = el("select", { class: "input", id: "acl-add", on: { change: choose } });
  const other = el("input", { class: "input", id: "acl-other", type: "text", autocomplete: "off", spellcheck: "false", "aria-describedby": "acl-problem", on: { keydown: onKey } });
  const problem = el("p", { class: "field-problem", id: "acl-problem", role: "alert" });
  const others = [
    el("label", { class: "label", for: "acl-other" }, t("Add by the id of a user, or as role:name")),
    el("div", { class: "member-add" }, other, button(t("Add to the list"), addOther)),
    problem,
  ];
  for (const entity of new Set(["*", ...Object.keys(before)])) add(entity);
  openForm({
    title,
    intro: sentence,
    rows,
    body: [list, el("p", { class: "owner-add" }, el("label", { class: "label", for: "acl-add" }, t("Add a user or role")), select), people.isComplete ? null : el("div", {}, others)],
    saveLabel: t("Save"),
    submit: async () => save(entered()),
  });
  draw();

  function add(entity, isNew = false) {
    const label = names.get(entity) ?? (entity.startsWith("role:") ? t("The role {name}", { name: entity.slice(5) }) : t("The user {entity}", { entity }));
    const row = fieldRow({ name: entity, label, kind: "choice", options: levels, required: true }, levelOf(before[entity]));
    row.added = isNew;
    row.control.addEventListener("change", draw);
    rows.push(row);
    list.append(row.node);
    return row;
  }

  function choose() {
    if (select.value !== "") addChosen(select.value);
  }

  // Enter adds the user or role instead of saving the form.
  function onKey(event) {
    if (event.key !== "Enter" || other.value.trim() === "") return;
    event.preventDefault();
    addOther();
  }

  function addOther() {
    const entity = other.value.trim();
    const isHeld = rows.some(({ name }) => name === entity);
    const isEntity = /^(role:.+|[\w-]+)$/.test(entity);
    problem.textContent = isHeld ? t("The list has this user or role already.") : isEntity ? "" : t("Enter the id of a user, or role: and the name of a role.");
    if (isHeld || !isEntity) return other.focus();
    other.value = "";
    addChosen(entity);
  }

  function addChosen(entity) {
    const row = add(entity, true);
    row.control.value = "read";
    draw();
    row.control.focus();
  }

  /** The ACL that the rows describe. */
  function entered() {
    const after = record();
    for (const row of rows) {
      const grant = grantOf(row.control.value);
      if (grant) after[row.name] = grant;
    }
    return after;
  }

  function draw() {
    sentence.textContent = aclText(entered());
    const held = new Set(rows.map(({ name }) => name));
    const others = [...names].filter(([entity]) => !held.has(entity));
    fill(select, el("option", { value: "" }, t("Choose")), others.map(([entity, words]) => el("option", { value: entity }, words)));
  }
}
