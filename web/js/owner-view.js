// The master-key area: a dialog with the users, the roles and the permissions of classes.

import { button } from "./buttons.js";
import { openDialog } from "./dialog.js";
import { el, fill } from "./dom.js";
import { showClasses } from "./owner-classes.js";
import { showRoles } from "./owner-roles.js";
import { showUsers } from "./owner-users.js";

const sections = [
  ["users", "Users", showUsers],
  ["roles", "Roles", showRoles],
  ["classes", "Classes", showClasses],
];

/** @param owner the gateway's routes for the holder of the master key */
export function openOwnerView({ owner, notices }) {
  const body = el("div", { class: "owner-body", id: "owner-body" });
  const tabs = el("div", { class: "owner-tabs", role: "group", "aria-label": "Sections" });
  const problem = el("p", { class: "form-problem", role: "alert", dir: "auto", hidden: true });
  let current = "users";
  let requests = 0;
  fill(
    tabs,
    sections.map(([name, words]) => el("button", { class: "owner-tab", type: "button", data: { name }, on: { click: () => show(name) } }, words)),
  );
  openDialog({ title: "Users and rights", className: "dialog-owner", content: el("div", { class: "owner" }, tabs, problem, body) });
  show(current);

  async function show(name) {
    current = name;
    for (const tab of tabs.children) tab.setAttribute("aria-pressed", String(tab.dataset.name === name));
    await draw();
  }

  /** Reads the shown section again. Only the answer to the latest request is shown. */
  async function draw() {
    const request = ++requests;
    const [, , build] = sections.find(([name]) => name === current);
    try {
      const nodes = await build({ owner, notices, perform, reload: draw });
      if (request !== requests) return;
      problem.hidden = true;
      fill(body, nodes);
    } catch (error) {
      if (request !== requests) return;
      problem.hidden = false;
      fill(problem, error.message, " ", button("Try again", draw, { className: "button-small" }));
    }
  }

  /** Runs a request, then reads the section again. Shows the error of a failed request. */
  async function perform(work, words) {
    try {
      await work();
      if (words) notices.announce(words);
      await draw();
    } catch (error) {
      problem.hidden = false;
      fill(problem, error.message);
    }
  }
}
