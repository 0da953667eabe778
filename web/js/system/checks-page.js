// The findings of `tidegate doctor`: about the file, the remote, rights and users.

import { button } from "../buttons.js";
import { formatBytes } from "../byte-size.js";
import { agoText, formatMoment } from "../dates.js";
import { el, fill } from "../dom.js";
import { ownValue } from "../records.js";
import { t } from "../texts.js";

const states = { ok: t("Passed"), failed: t("Failed"), noted: t("Note"), notAsked: t("Not asked") };
/** The lists of findings without a state, with their titles. */
const lists = [
  ["notes", t("Notes")],
  ["rights", t("Permissions that the gateway enforces")],
  ["users", t("Users with faults")],
  ["people", t("Changes of the setting people")],
  ["replacedIds", t("Texts with local ids that the remote has replaced")],
];

export async function buildChecks({ system, signal }) {
  const place = el("div", { class: "call-groups" });
  const problem = el("p", { class: "form-problem", role: "alert", dir: "auto", hidden: true });
  const status = el("p", { class: "hint", role: "status" });
  const runButton = button(t("Run the checks again"), () => run(false), { focus: "run checks" });
  const fileButton = button(t("Also check the file"), () => run(true), { focus: "check file" });
  draw(await system.checks(false));
  return [
    el("p", { class: "hint" }, t("The checks send requests to the remote and change nothing. The check of the file reads all of it, which may take minutes.")),
    el("div", { class: "tool-bar" }, runButton, fileButton),
    status,
    problem,
    place,
  ];

  async function run(withFile) {
    status.textContent = t("Checking …");
    problem.hidden = true;
    try {
      const answer = await system.checks(withFile);
      if (!signal.aborted) draw(answer);
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
      status.textContent = "";
    }
  }

  function draw(answer) {
    const { healthy, dataDirectory, damage, remote, findings = [], backups = null } = answer;
    status.textContent = "";
    const shown = lists.filter(([name]) => answer[name]?.length > 0);
    fill(
      place,
      el("p", { class: healthy ? "check-passed" : "check-failed" }, el("strong", {}, healthy ? t("Healthy") : t("Needs attention"))),
      section(t("File"), [
        el("p", { dir: "auto" }, dataDirectory),
        Array.isArray(damage)
          ? damage.length === 0 ? el("p", {}, t("The file is not damaged.")) : bullets(damage, "check-failed")
          : el("p", { class: "hint" }, t("The file was not checked for damage.")),
      ]),
      section(t("Backups"), backupNodes(backups)),
      remote !== null && section(t("Remote"), [el("p", { dir: "auto" }, remote), el("ul", { class: "check-list" }, findings.map(findingNode))]),
      shown.map(([name, title]) => section(title, bullets(answer[name]))),
    );
  }
}

/** The nodes about the backups that the gateway writes; null if none are configured. */
function backupNodes(backups) {
  if (backups === null) return el("p", { class: "hint" }, t("The gateway writes no backups, because the setting backup-dir is not set."));
  const { directory, last, lastError } = backups;
  return [
    el("p", { dir: "auto" }, last === null ? t("No backup has been written yet.") : t("The latest backup is {name} ({size}), written {ago} ({moment}).", { name: last.name, size: formatBytes(last.bytes), ago: agoText(last.at), moment: formatMoment(last.at) })),
    el("p", { class: "hint", dir: "auto" }, directory),
    lastError !== null && el("p", { class: "check-failed", dir: "auto" }, t("The latest attempt failed: {lastError}", { lastError })),
  ];
}

function section(title, nodes) {
  return el("section", { class: "tool-section" }, el("h2", { class: "tool-section-title" }, title), nodes);
}

function bullets(texts, className = null) {
  return el("ul", { class: className }, texts.map((text) => el("li", { dir: "auto" }, text)));
}

function findingNode({ name, state, text, hint }) {
  return el(
    "li",
    { class: `check-${state}`, data: { name } },
    el("strong", {}, ownValue(states, state) ?? state),
    el("div", {}, el("p", { dir: "auto" }, `${name}: ${text}`), hint && el("p", { class: "hint", dir: "auto" }, hint)),
  );
}
