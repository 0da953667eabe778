// The indexes of a class: list, add and drop them.

import { ApiError } from "../api.js";
import { button } from "../buttons.js";
import { ask } from "../dialog.js";
import { el } from "../dom.js";
import { fieldRow } from "../editors/field-row.js";
import { openForm } from "../form.js";
import { ownValue } from "../records.js";
import { isReplica } from "../sync-text.js";
import { numberText, t } from "../texts.js";
import { exactTime } from "../system/exact-time.js";
import { toolTable } from "../system/tool-table.js";

const columns = [{ words: t("Index"), kind: "name" }, { words: t("Fields") }, { words: t("Actions"), kind: "actions" }];
const ownColumns = [{ words: t("Fields"), kind: "name" }, { words: t("Queries since the start"), kind: "number" }, { words: t("Last used (UTC)") }];
const directions = { 1: "ascending", "-1": "descending" };
/** The index of the ids, which each class has. */
const idIndex = "_id_";

export async function buildIndexes({ owner, system, state, perform, reload }, className) {
  const { fields, indexes = {} } = await owner.schema(className);
  const rows = Object.entries(indexes).map(row);
  return [
    el("div", { class: "tool-bar" }, button(t("Add index"), openIndexForm, { className: "button-primary", focus: "add index" })),
    el("p", { class: "hint" }, isReplica(state.values)
      ? t("The remote has these indexes. Parse Server creates them in its database. The API does not tell how often each is used.")
      : t("This gateway stores these indexes for programs that read the schema. Its own queries use the indexes below.")),
    rows.length === 0 ? el("p", { class: "hint" }, t("The class has no indexes.")) : toolTable(t("Indexes of {className}", { className }), columns, rows),
    ...ownSection(await ownIndexes(system, className)),
  ];

  function row([name, keys]) {
    const words = Object.entries(keys).map(([field, kind]) => `${field}, ${ownValue(directions, kind) ?? kind}`).join("; ");
    const drop = button([t("Drop"), el("span", { class: "visually-hidden" }, ` ${name}`)], () => dropIndex(name), {
      className: "button-small button-danger-quiet",
      focus: `drop ${name}`,
    });
    return { name, cells: [el("span", { dir: "auto" }, name), el("span", { dir: "auto" }, words), name === idIndex ? el("span", { class: "tool-muted" }, t("Built in")) : drop] };
  }

  async function dropIndex(name) {
    const text = t("The objects stay. Queries by its fields may become slower.");
    if (!(await ask({ title: t("Drop the index {name} of {className}?", { name, className }), text, yes: t("Drop the index"), danger: true }))) return;
    await perform(() => owner.changeClass(className, { indexes: { [name]: { __op: "Delete" } } }), t("The index {name} is dropped.", { name }));
  }

  function openIndexForm() {
    const name = fieldRow({ name: "name", label: t("Name"), kind: "text", required: true });
    const keys = fieldRow({ name: "keys", label: t("Fields"), kind: "text", required: true, hint: t("Separated by commas, in the order of the index. A - in front sorts down: {example}, -createdAt.", { example: Object.keys(fields).filter((field) => field !== "ACL")[3] ?? "name" }) });
    openForm({
      title: t("Add an index to {className}", { className }),
      rows: [name, keys],
      body: [name.node, keys.node],
      saveLabel: t("Add index"),
      async submit() {
        const index = keysOf(keys.control.value);
        await owner.changeClass(className, { indexes: { [name.control.value.trim()]: index } });
        await reload();
      },
    });
  }
}

/** The indexes that the gateway has made for its own queries; null if the person may not see them. */
async function ownIndexes(system, className) {
  try {
    return (await system.indexes()).filter((index) => index.className === className);
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return null;
    throw error;
  }
}

function ownSection(indexes) {
  if (indexes === null) return [];
  const rows = indexes.map(({ fields, uses, lastUsedAt }) => ({
    name: fields.join(" "),
    cells: [el("span", { dir: "auto" }, fields.join(", ")), numberText(uses), lastUsedAt === null ? t("never") : el("time", { datetime: lastUsedAt }, exactTime(lastUsedAt))],
  }));
  const title = t("Indexes for queries of this gateway");
  return [
    el(
      "section",
      { class: "tool-section" },
      el("h2", { class: "tool-section-title" }, title),
      el("p", { class: "hint" }, t("The gateway creates an index after slow queries, and drops an index that no query has used for a day.")),
      rows.length === 0 ? el("p", { class: "hint" }, t("The gateway has made no indexes for this class.")) : toolTable(title, ownColumns, rows),
    ),
  ];
}

/** The keys of an index, from a text such as "name, -createdAt". */
export function keysOf(text) {
  const parts = text.split(",").map((part) => part.trim()).filter(Boolean);
  return Object.fromEntries(parts.map((part) => (part.startsWith("-") ? [part.slice(1).trim(), -1] : [part, 1])));
}
