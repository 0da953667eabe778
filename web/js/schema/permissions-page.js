// The page of a class's permissions: the form, and its JSON for what the form does not show. Changes are saved together.

import { operations } from "../acl-text.js";
import { button } from "../buttons.js";
import { el, fill, fillWhenChanged } from "../dom.js";
import { isReplica } from "../sync-text.js";
import { t } from "../texts.js";
import { isEqual } from "../values.js";
import { userIdsOf } from "./permission-rules.js";
import { permissionsForm } from "./permissions-form.js";

/** The permissions that were changed and not saved yet: a map from class name to {base, permissions}. */
const unsaved = new Map();

// The browser asks before it closes or reloads the page.
window.addEventListener("beforeunload", (event) => unsaved.size > 0 && event.preventDefault());

/** Forgets the unsaved permissions. */
export function forgetUnsaved() {
  unsaved.clear();
}

export async function buildPermissions(context, className) {
  const { owner, state, notices, reload } = context;
  const { fields, classLevelPermissions: stored = {} } = await owner.schema(className);
  const names = new Map();
  const operationNames = operations.map(([name]) => name);
  let { base, permissions } = unsaved.get(className) ?? { base: stored, permissions: stored };
  const ids = userIdsOf(permissions, operationNames);
  // Without the names, the form shows the ids.
  const users = ids.length === 0 ? [] : await owner.usersOf(ids).catch(() => []);
  for (const { objectId, username } of users) names.set(objectId, username ?? objectId);
  const lists = Object.keys(fields).filter((name) => fields[name].type === "Array");
  // Without the objects, the form offers all lists.
  const objects = lists.length === 0 ? [] : await owner.latest(className, lists).catch(() => []);

  const form = el("div", { class: "permissions" });
  const problem = el("div", { class: "form-problem", role: "alert", hidden: true });
  const status = el("p", { class: "permission-state", role: "status" });
  const json = el("textarea", { class: "input input-code", id: "permissions-json", rows: "14", spellcheck: "false", autocomplete: "off" });
  const wrong = el("p", { class: "field-problem", role: "alert", hidden: true });
  const saveButton = button(t("Save"), () => save(false), { className: "button-primary" });
  const discardButton = button(t("Discard changes"), discard);
  draw();
  return [
    el("p", { class: "hint" }, t("An operation needs this permission, and the right in the ACL of each object. The master key may always do everything.")),
    isReplica(state.values) && el("p", { class: "hint" }, t("The remote has these permissions. They are changed on the remote at once.")),
    problem,
    form,
    el(
      "details",
      { class: "form-more" },
      el("summary", {}, t("As JSON")),
      el("div", { class: "form-more-rows" }, el("label", { class: "label", for: json.id }, "classLevelPermissions"), json, wrong, el("p", {}, button(t("Take the JSON"), takeJSON, { className: "button-small" }))),
    ),
    el("div", { class: "permission-bar" }, saveButton, discardButton, status),
  ].filter(Boolean);

  function draw() {
    const isChanged = !isEqual(base, permissions);
    if (isChanged) unsaved.set(className, { base, permissions });
    else unsaved.delete(className);
    fillWhenChanged(form, JSON.stringify([permissions, [...names]]), () => permissionsForm({ className, permissions, fields, objects, names, owner, change }));
    json.value = JSON.stringify(permissions, null, 2);
    wrong.hidden = true;
    discardButton.hidden = !isChanged;
    status.textContent = isChanged ? t("Not saved yet.") : "";
    saveButton.setAttribute("aria-disabled", String(!isChanged));
  }

  function change(next) {
    permissions = next;
    draw();
  }

  function takeJSON() {
    try {
      const value = JSON.parse(json.value);
      if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(t("Enter an object: { … }."));
      change(value);
      notices.announce(t("The form shows the JSON."));
    } catch (error) {
      wrong.textContent = t("Not taken. {message}", { message: error.message });
      wrong.hidden = false;
    }
  }

  function discard() {
    permissions = base;
    problem.hidden = true;
    draw();
    saveButton.focus();
  }

  /** Saves the permissions, unless another client has changed them since they were read. */
  async function save(isForced) {
    if (isEqual(base, permissions)) return;
    try {
      const { classLevelPermissions: present = {} } = await owner.schema(className);
      if (!isForced && !isEqual(present, base)) return tellConflict(present);
      await owner.changeClass(className, { classLevelPermissions: permissions });
      unsaved.delete(className);
      notices.tell(t("The permissions of {className} are saved.", { className }));
      await reload();
    } catch (error) {
      tell(t("Not saved. {message}", { message: error.message }));
    }
  }

  function tellConflict(present) {
    const takeTheirs = () => {
      base = present;
      discard();
    };
    tell(t("Not saved. Another client has changed the permissions since this page read them."), [
      button(t("Show theirs"), takeTheirs, { className: "button-small" }),
      button(t("Save mine"), () => save(true), { className: "button-small" }),
    ]);
  }

  function tell(words, buttons = []) {
    problem.hidden = false;
    fill(problem, el("p", { dir: "auto" }, words), buttons);
    problem.scrollIntoView({ block: "nearest" });
  }
}
