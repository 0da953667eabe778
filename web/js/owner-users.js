// The users in the master-key area: add, edit, lock, set a password, delete.

import { button } from "./buttons.js";
import { ask } from "./dialog.js";
import { el } from "./dom.js";
import { fieldRow } from "./editors/field-row.js";
import { openForm } from "./form.js";
import { named, ownerList, ownerRow } from "./owner-list.js";
import { hideTyping } from "./sign-in.js";
import { t } from "./texts.js";
import { toolLink } from "./system/tool-links.js";
import { isolated } from "./values.js";

/** Whether nobody can log in as the user, because the user's ACL is empty. */
const isLocked = ({ ACL }) => ACL !== undefined && Object.keys(ACL).length === 0;

export async function showUsers({ owner, perform, reload }) {
  const users = await owner.users();
  return [
    el("p", { class: "owner-tools" }, button(t("Add user"), () => openUserForm(null), { className: "button-primary" })),
    ownerList(users.map(row), t("There are no users yet.")),
  ];

  function row(user) {
    const name = user.username ?? user.objectId;
    const label = (words) => ({ className: "button-small", focus: `${words} ${user.objectId}` });
    const notes = [user.email, isLocked(user) && t("locked: cannot sign in")].filter(Boolean).join(" · ");
    return ownerRow(name, notes, [
      button(named(t("Edit"), name), () => openUserForm(user), label("edit")),
      toolLink(t("Sessions"), ["sessions", user.objectId]),
      button(named(t("Set password"), name), () => openPasswordForm(user, name), label("password")),
      isLocked(user)
        ? button(named(t("Unlock"), name), () => perform(() => owner.setLocked(user.objectId, false), t("{name} is unlocked. Only {name} may see and change this user.", { name })), label("lock"))
        : button(named(t("Lock"), name), () => lock(user, name), label("lock")),
      button(named(t("Delete"), name), () => remove(user, name), { ...label("delete"), className: "button-small button-danger-quiet" }),
    ]);
  }

  async function lock(user, name) {
    const text = t("Nobody can sign in as this user, and the user's sessions end. An unlock makes the user private: its earlier ACL is replaced.");
    if (!(await ask({ title: t("Lock {name}?", { name: isolated(name) }), text, yes: t("Lock") }))) return;
    await perform(() => owner.setLocked(user.objectId, true), t("{name} is locked.", { name }));
  }

  async function remove(user, name) {
    const text = t("The user's objects stay. Objects that only this user may read are then hidden from everybody.");
    if (!(await ask({ title: t("Delete {name}?", { name: isolated(name) }), text, yes: t("Delete"), danger: true }))) return;
    await perform(() => owner.removeUser(user.objectId), t("{name} is deleted.", { name }));
  }

  function openUserForm(user) {
    const name = fieldRow({ name: "username", label: t("Name"), kind: "text", required: true }, user?.username);
    const email = fieldRow({ name: "email", label: t("Email"), kind: "text", required: false, marksOptional: true }, user?.email);
    const password = user === null && passwordRow();
    const rows = [name, email, password].filter(Boolean);
    openForm({
      title: user === null ? t("Add a user") : t("Edit {name}", { name: isolated(user.username ?? user.objectId) }),
      rows,
      body: rows.map(({ node }) => node),
      saveLabel: user === null ? t("Add") : t("Save"),
      async submit() {
        const fields = {};
        if (name.isChanged()) fields.username = (await name.value()).trim();
        if (email.isChanged()) fields.email = (await email.value())?.trim() ?? { __op: "Delete" };
        if (password) fields.password = password.control.value;
        await (user === null ? owner.addUser(fields) : owner.changeUser(user.objectId, fields));
        await reload();
      },
    });
  }

  function openPasswordForm(user, name) {
    const password = passwordRow();
    openForm({
      title: t("New password of {name}", { name: isolated(name) }),
      intro: el("p", { class: "hint" }, t("The user's sessions end.")),
      rows: [password],
      body: password.node,
      saveLabel: t("Set password"),
      async submit() {
        await owner.changeUser(user.objectId, { password: password.control.value });
        await reload();
      },
    });
  }
}

function passwordRow() {
  return hideTyping(fieldRow({ name: "password", label: t("Password"), kind: "text", required: true }), "new-password");
}
