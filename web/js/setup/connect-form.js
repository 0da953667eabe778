// The two forms that connect a new gateway to a server: the address and the keys, which are checked, and then the classes.

import { el } from "../dom.js";
import { fieldRow } from "../editors/field-row.js";
import { openForm } from "../form.js";
import { withFullStop } from "../sync-text.js";
import { checkError, requestError } from "./check-error.js";
import { createClassChoice } from "./class-choice.js";
import { t } from "../texts.js";

const fields = {
  remote: { label: t("Address"), kind: "text", required: true, hint: t("The URL of a Parse Server, such as https://example.org/parse, or of a server with tables.") },
  appId: { label: t("Application id"), kind: "text", hint: t("A Parse Server requires it. A server with tables has none.") },
  restKey: { label: t("REST key"), kind: "text", hint: t("Only if the server requires one.") },
  masterKey: { label: t("Master key of the server"), kind: "text", hint: t("Rarely needed. With it, all clients of this gateway see everything. It is stored on this device.") },
  token: { label: t("Token"), kind: "text", hint: t("Your token for a server with tables, if it requires one.") },
};
const markOf = { ok: "✓", failed: "✗", noted: "•", notAsked: "–" };
const stateWords = { ok: t("passed"), failed: t("failed"), noted: t("note"), notAsked: t("not checked") };

/**
 * Asks for a server and checks it, then asks for its classes.
 *
 * @param check `(connection)`: resolves to {healthy, kind, findings, classes}
 * @param connect `(connection)`: connects the gateway; the form stays open if it throws an error
 */
export function openConnectForm({ check, connect }) {
  const rows = Object.entries(fields).map(([name, field]) => fieldRow({ name, ...field }));
  for (const { control } of rows) control.setAttribute("autocomplete", "off");
  const [remote, appId, ...rest] = rows;
  openForm({
    title: t("Connect to a server"),
    rows,
    body: [
      remote.node,
      appId.node,
      el("details", { class: "form-more" }, el("summary", {}, t("Keys and token")), el("div", { class: "form-more-rows" }, rest.map((row) => row.node))),
    ],
    saveLabel: t("Check"),
    failure: "",
    async submit() {
      const entries = await Promise.all(rows.map(async (row) => [row.name, await row.value()]));
      const connection = Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null));
      const labels = Object.fromEntries(Object.entries(fields).map(([name, { label }]) => [name, label]));
      const found = await check(connection).catch((error) => {
        throw requestError(error, labels);
      });
      if (!found.healthy) throw checkError(found.findings.filter(({ state }) => state === "failed"), labels);
      openClassForm({ ...connection, kind: found.kind }, found, connect);
    },
  });
}

/** A finding and its hint, as sentences. */
function wordsOf({ text, hint }) {
  return [text, hint].filter(Boolean).map((part) => withFullStop(part[0].toUpperCase() + part.slice(1))).join(" ");
}

function openClassForm(connection, { findings, classes }, connect) {
  const choice = createClassChoice(classes);
  openForm({
    title: t("Choose the classes to keep here"),
    intro: el("p", { class: "dialog-text" }, t("Their objects are fetched to this device. You can choose more classes later.")),
    rows: choice.rows,
    body: [choice.node, el("details", { class: "form-more" }, el("summary", {}, t("What was checked")), findingList(findings))],
    saveLabel: t("Connect"),
    failure: "",
    submit: async () => connect({ ...connection, classes: await choice.chosen() }),
  });
}

function findingList(findings) {
  return el(
    "ul",
    { class: "finding-list" },
    findings.map(({ state, ...finding }) =>
      el(
        "li",
        { class: `finding finding-${state}` },
        el("span", { "aria-hidden": "true" }, markOf[state] ?? "•"),
        el("span", { class: "visually-hidden" }, `${stateWords[state] ?? state}: `),
        el("span", { dir: "auto" }, wordsOf(finding)),
      ),
    ),
  );
}
