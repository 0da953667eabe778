// The indexes of a class: list, add and drop them.

import { button } from "../buttons.js";
import { ask } from "../dialog.js";
import { el } from "../dom.js";
import { fieldRow } from "../editors/field-row.js";
import { openForm } from "../form.js";
import { ownValue } from "../records.js";
import { isReplica } from "../sync-text.js";
import { toolTable } from "../system/tool-table.js";

const columns = [{ words: "Index", kind: "name" }, { words: "Fields" }, { words: "Actions", kind: "actions" }];
const directions = { 1: "ascending", "-1": "descending" };
/** The index of the ids, which each class has. */
const idIndex = "_id_";

export async function buildIndexes({ owner, state, perform, reload }, className) {
  const { fields, indexes = {} } = await owner.schema(className);
  const rows = Object.entries(indexes).map(row);
  return [
    el("div", { class: "tool-bar" }, button("Add index", openIndexForm, { className: "button-primary", focus: "add index" })),
    el("p", { class: "hint" }, isReplica(state.values)
      ? "The remote has these indexes. Parse Server creates them in its database. The API does not tell how often each is used."
      : "This gateway stores these indexes for programs that read the schema. For its own queries, it creates and drops indexes by itself, by how long the queries take."),
    rows.length === 0 ? el("p", { class: "hint" }, "The class has no indexes.") : toolTable(`Indexes of ${className}`, columns, rows),
  ];

  function row([name, keys]) {
    const words = Object.entries(keys).map(([field, kind]) => `${field}, ${ownValue(directions, kind) ?? kind}`).join("; ");
    const drop = button(["Drop", el("span", { class: "visually-hidden" }, ` ${name}`)], () => dropIndex(name), {
      className: "button-small button-danger-quiet",
      focus: `drop ${name}`,
    });
    return { name, cells: [el("span", { dir: "auto" }, name), el("span", { dir: "auto" }, words), name === idIndex ? el("span", { class: "tool-muted" }, "Built in") : drop] };
  }

  async function dropIndex(name) {
    const text = "The objects stay. Queries by its fields may become slower.";
    if (!(await ask({ title: `Drop the index ${name} of ${className}?`, text, yes: "Drop the index", danger: true }))) return;
    await perform(() => owner.changeClass(className, { indexes: { [name]: { __op: "Delete" } } }), `The index ${name} is dropped.`);
  }

  function openIndexForm() {
    const name = fieldRow({ name: "name", label: "Name", kind: "text", required: true });
    const keys = fieldRow({ name: "keys", label: "Fields", kind: "text", required: true, hint: `Separated by commas, in the order of the index. A - in front sorts down: ${Object.keys(fields).filter((field) => field !== "ACL")[3] ?? "name"}, -createdAt.` });
    openForm({
      title: `Add an index to ${className}`,
      rows: [name, keys],
      body: [name.node, keys.node],
      saveLabel: "Add index",
      async submit() {
        const index = keysOf(keys.control.value);
        await owner.changeClass(className, { indexes: { [name.control.value.trim()]: index } });
        await reload();
      },
    });
  }
}

/** The keys of an index, from a text such as "name, -createdAt". */
export function keysOf(text) {
  const parts = text.split(",").map((part) => part.trim()).filter(Boolean);
  return Object.fromEntries(parts.map((part) => (part.startsWith("-") ? [part.slice(1).trim(), -1] : [part, 1])));
}
