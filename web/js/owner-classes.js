// The classes in the master-key area, with their permissions.

import { operations, permissionText } from "./acl-text.js";
import { button } from "./buttons.js";
import { el } from "./dom.js";
import { fieldRow } from "./editors/field-row.js";
import { openForm } from "./form.js";
import { ownerList, ownerRow } from "./owner-list.js";
import { isEqual } from "./values.js";

/** The choices for the permission of one operation: the name of a choice, its words, and the permission. */
const choices = [
  ["everybody", "Everybody", { "*": true }],
  ["users", "Signed-in users", { requiresAuthentication: true }],
  ["nobody", "Only the master key", {}],
];

export async function showClasses({ owner, reload }) {
  const [schemas, roles] = await Promise.all([owner.schemas(), owner.roles()]);
  const all = [...choices, ...roles.map(({ name }) => [`role:${name}`, `The role ${name}`, { [`role:${name}`]: true }])];
  return ownerList(schemas.map(row), "There are no classes yet.");

  function row({ className, classLevelPermissions = {} }) {
    return ownerRow(className, summary(classLevelPermissions), [
      button("Permissions", () => openPermissions(className, classLevelPermissions), {
        className: "button-small",
        focus: `permissions ${className}`,
      }),
    ]);
  }

  function openPermissions(className, permissions) {
    const rows = operations.map(([name, label]) => {
      const present = permissions[name] ?? {};
      const known = all.find(([, , allowed]) => isEqual(allowed, present));
      // A permission that equals none of the choices stays unchanged, unless the user selects one of them.
      const kept = known ? [] : [["kept", permissionText(present)]];
      const options = [...kept, ...all.map(([key, words]) => [key, words])];
      return fieldRow({ name, label, kind: "choice", options, required: true }, known ? known[0] : "kept");
    });
    openForm({
      title: `Permissions of ${className}`,
      intro: el("p", { class: "hint" }, "An operation needs this permission, and the right in the ACL of each object."),
      rows,
      body: rows.map(({ node }) => node),
      saveLabel: "Save",
      async submit() {
        const changed = { ...permissions };
        for (const row of rows.filter((row) => row.isChanged())) {
          const chosen = await row.value();
          changed[row.name] = all.find(([key]) => key === chosen)?.[2] ?? permissions[row.name];
        }
        await owner.setPermissions(className, changed);
        await reload();
      },
    });
  }
}

/** The users and roles that may list the objects of a class, and that may change them, as one line of text. */
function summary(permissions) {
  const [find, update] = ["find", "update"].map((name) => permissionText(permissions[name]));
  return find === update ? `${find}: list and change` : `${find}: list · ${update}: change`;
}
