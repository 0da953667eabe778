// Any other class: a table with a column for each field that was met. Objects are added and edited as JSON.

import { unseen } from "./buttons.js";
import { el, reconcile } from "./dom.js";
import { userFields, valueNode, valueWords } from "./values.js";
import { utcWords } from "./dates.js";

/** More columns than this cannot be read; the rest is seen when editing. */
const columnsMax = 12;

export function anyClass(className) {
  return {
    className,
    title: className,
    one: "object",
    order: "-updatedAt",
    fields: null,
    lede: () => [],
    draw: (container, objects, context) => drawTable(container, className, inOrder(objects), context),
  };
}

/** By date where objects have one, else the ones that changed last come first. */
function inOrder(objects) {
  const isDated = objects.some(({ date }) => date?.__type === "Date");
  return isDated ? objects.toSorted((one, other) => dateMs(one) - dateMs(other)) : objects;
}

function dateMs({ date }) {
  const ms = date?.__type === "Date" ? Date.parse(date.iso) : NaN;
  return Number.isNaN(ms) ? Number.MAX_SAFE_INTEGER : ms;
}

function drawTable(container, className, objects, { side, stamp }) {
  const columns = columnsOf(objects);
  const layout = `${className} ${columns.join(" ")}`;
  reconcile(container, [layout], {
    key: () => "table",
    stamp: () => layout,
    build: () =>
      el(
        "div",
        { class: "table-frame", role: "region", tabindex: "0", "aria-label": `${className} objects` },
        el("table", { class: "table" }, el("thead", {}, headRow(columns)), el("tbody")),
      ),
    update: (node) =>
      reconcile(node.querySelector("tbody"), objects, {
        key: (object) => object.objectId,
        stamp,
        build: (object) => bodyRow(object, columns, side),
      }),
  });
}

/** Names first, then fields by how many objects have them. */
function columnsOf(objects) {
  const counts = new Map();
  for (const object of objects) {
    for (const name of Object.keys(userFields(object))) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const rank = (name) => (["name", "title", "date"].includes(name) ? Infinity : counts.get(name));
  const names = [...counts.keys()].filter((name) => name !== "ACL");
  return names.sort((one, other) => rank(other) - rank(one) || 0).slice(0, columnsMax);
}

function headRow(columns) {
  const heading = (text) => el("th", { scope: "col" }, text);
  const actions = el("th", { scope: "col", class: "cell-actions" }, unseen("Actions"));
  return el("tr", {}, heading("objectId"), columns.map(heading), heading("updatedAt"), actions);
}

function bodyRow(object, columns, side) {
  const { badge, actions } = side(object);
  const cell = (value) => {
    const node = el("td", {}, el("div", { class: "cell" }, valueNode(value)));
    if (value !== undefined) node.title = valueWords(value);
    return node;
  };
  return el(
    "tr",
    { tabindex: "-1", data: { object: object.objectId } },
    el("th", { scope: "row", class: "cell-id" }, el("span", { class: "value-id" }, object.objectId), badge),
    columns.map((name) => cell(object[name])),
    el("td", { class: "cell-moment" }, utcWords(object.updatedAt)),
    el("td", { class: "cell-actions" }, actions),
  );
}
