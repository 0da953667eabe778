// The roles in the master-key area: add and delete roles, and change their members and parents.

import { button, iconButton } from "./buttons.js";
import { ask, openDialog } from "./dialog.js";
import { el, fill } from "./dom.js";
import { fieldRow } from "./editors/field-row.js";
import { openForm } from "./form.js";
import { named, ownerList, ownerRow } from "./owner-list.js";
import { t } from "./texts.js";
import { isolated } from "./values.js";

/**
 * The kinds of links between a role and users or other roles. An `upward` link makes the role a member of another role, and is
 * stored in that other role.
 */
const memberTexts = {
  added: (name) => t("{name} is now a member.", { name }),
  removed: (name) => t("{name} is no longer a member.", { name }),
};
const kinds = [
  {
    key: "users",
    title: t("Users"),
    add: t("Add a user"),
    none: t("No user is a direct member."),
    nameOf: ({ username, objectId }) => username ?? objectId,
    ...memberTexts,
  },
  {
    key: "roles",
    title: t("Roles whose members are members too"),
    add: t("Add a role"),
    none: t("No role is a member."),
    nameOf: ({ name }) => name,
    ...memberTexts,
  },
  {
    key: "parents",
    title: t("Parents: roles that all members have too"),
    add: t("Add a parent"),
    none: t("The members have no other role by this one."),
    nameOf: ({ name }) => name,
    upward: true,
    added: (name) => t("{name} is now a parent.", { name }),
    removed: (name) => t("{name} is no longer a parent.", { name }),
  },
];

export async function showRoles({ owner, notices, perform, reload }) {
  const roles = await owner.roles();
  return [
    el("p", { class: "owner-tools" }, button(t("Add role"), openRoleForm, { className: "button-primary" })),
    ownerList(roles.map(row), t("There are no roles yet.")),
  ];

  function row(role) {
    return ownerRow(role.name, null, [
      button(named(t("Members"), role.name), () => openMembers(role, { owner, notices }), { className: "button-small", focus: `members ${role.objectId}` }),
      button(named(t("Delete"), role.name), () => remove(role), { className: "button-small button-danger-quiet", focus: `delete ${role.objectId}` }),
    ]);
  }

  async function remove(role) {
    const text = t("Its members lose the rights of the role.");
    if (!(await ask({ title: t("Delete the role {name}?", { name: isolated(role.name) }), text, yes: t("Delete"), danger: true }))) return;
    await perform(() => owner.removeRole(role.objectId), t("The role {name} is deleted.", { name: role.name }));
  }

  function openRoleForm() {
    const hint = t("Letters, digits, spaces, _ and -. The name never changes.");
    const name = fieldRow({ name: "name", label: t("Name"), kind: "text", required: true, hint });
    openForm({
      title: t("Add a role"),
      rows: [name],
      body: name.node,
      saveLabel: t("Add"),
      async submit() {
        await owner.addRole((await name.value()).trim());
        await reload();
      },
    });
  }
}

/** Opens the members of a role. Each change is saved at once. */
async function openMembers(role, { owner, notices }) {
  const body = el("div", { class: "owner-body" });
  const problem = el("p", { class: "form-problem", role: "alert", dir: "auto", hidden: true });
  openDialog({ title: t("Members of {name}", { name: isolated(role.name) }), className: "dialog-owner", content: el("div", { class: "owner" }, problem, body) });
  await draw();

  async function draw() {
    await attempt(async () => {
      const [members, users, roles] = await Promise.all([owner.members(role.objectId), owner.users(), owner.roles()]);
      const others = roles.filter(({ objectId }) => objectId !== role.objectId);
      const all = { users, roles: others, parents: others };
      fill(body, kinds.map((kind) => section(kind, members[kind.key], all[kind.key])));
    });
  }

  async function attempt(work) {
    try {
      await work();
      problem.hidden = true;
    } catch (error) {
      problem.hidden = false;
      fill(problem, error.message);
    }
  }

  async function change(kind, member, adds) {
    await attempt(async () => {
      if (kind.upward) await owner.changeMember(member.objectId, "roles", role.objectId, adds);
      else await owner.changeMember(role.objectId, kind.key, member.objectId, adds);
      notices.announce((adds ? kind.added : kind.removed)(kind.nameOf(member)));
      await draw();
    });
  }

  function section(kind, members, all) {
    const held = new Set(members.map(({ objectId }) => objectId));
    const others = all.filter(({ objectId }) => !held.has(objectId));
    const id = `add-${kind.key}`;
    const select = el(
      "select",
      { class: "input", id },
      el("option", { value: "" }, t("Choose")),
      others.map((other) => el("option", { value: other.objectId }, kind.nameOf(other))),
    );
    const add = () => {
      const chosen = others.find(({ objectId }) => objectId === select.value);
      return chosen && change(kind, chosen, true);
    };
    return el(
      "section",
      { class: "owner-section" },
      el("h3", { class: "owner-heading" }, kind.title),
      ownerList(
        members.map((member) =>
          ownerRow(kind.nameOf(member), null, [iconButton(t("Remove {name}", { name: kind.nameOf(member) }), "close", () => change(kind, member, false))]),
        ),
        kind.none,
      ),
      others.length > 0 &&
        el("p", { class: "owner-add" }, el("label", { class: "label", for: id }, kind.add), select, button(t("Add"), add, { className: "button-small" })),
    );
  }
}
