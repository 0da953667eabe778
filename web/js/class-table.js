// The view of a class as a table: a column for each field, sortable, one page at a time.

import { button, visuallyHidden } from "./buttons.js";
import { el, fillWhenChanged, reconcile } from "./dom.js";
import { commonFields, inOrder } from "./field-types.js";
import { filePicture } from "./files.js";
import { isFetched } from "./live-form.js";
import { icon } from "./icons.js";
import { ownValue } from "./records.js";
import { excerpt, valueNode, valueText } from "./values.js";
import { formatUtc } from "./dates.js";

/** The maximum number of columns besides objectId, updatedAt and the buttons. */
const columnsMax = 12;
/** The types whose values have no meaningful order. */
const unsortable = new Set(["Array", "Object", "File", "GeoPoint", "Relation", "Polygon", "Bytes", "ACL"]);

export function tablePresentation(className) {
  return {
    className,
    title: className,
    one: "object",
    order: "-updatedAt",
    isPaged: true,
    fields: null,
    intro: () => [],
    draw: (container, objects, context) => drawTable(container, className, objects, context),
  };
}

function drawTable(container, className, objects, { side, stamp, table }) {
  const columns = inOrder(Object.keys(table.types).filter((name) => !commonFields.includes(name))).slice(0, columnsMax);
  const layout = `${className} ${columns.join(" ")}`;
  reconcile(container, [layout], {
    key: () => "table",
    stamp: () => layout,
    build: () =>
      el(
        "div",
        {},
        el(
          "div",
          { class: "table-frame", role: "region", tabindex: "0", "aria-label": `${className} objects` },
          el("table", { class: "table", "aria-label": className }, el("thead"), el("tbody")),
        ),
        el("nav", { class: "pager", "aria-label": "Pages" }),
      ),
    update(node) {
      drawHead(node.querySelector("thead"), columns, table);
      reconcile(node.querySelector("tbody"), objects, {
        key: (object) => object.objectId,
        stamp,
        build: (object) => bodyRow(object, columns, side),
      });
      drawPager(node.lastElementChild, table);
    },
  });
}

function drawHead(head, columns, { order, types, sortBy }) {
  const heading = (name) => {
    if (unsortable.has(ownValue(types, name)?.type)) return el("th", { scope: "col" }, name);
    const direction = order === name ? "ascending" : order === `-${name}` ? "descending" : null;
    const next = direction === "ascending" ? `-${name}` : name;
    const sortIcon = direction && icon(direction === "ascending" ? "sortUp" : "sortDown");
    const control = el(
      "button",
      { class: "sort", type: "button", data: { focus: `sort ${name}` }, on: { click: () => sortBy(next) } },
      name,
      visuallyHidden(direction === "ascending" ? " sort descending" : " sort ascending"),
      sortIcon,
    );
    return el("th", { scope: "col", "aria-sort": direction }, control);
  };
  fillWhenChanged(head, JSON.stringify([columns, order]), () =>
    el(
      "tr",
      {},
      ["objectId", ...columns, "updatedAt"].map(heading),
      el("th", { scope: "col", class: "cell-actions" }, visuallyHidden("Actions")),
    ),
  );
}

function bodyRow(object, columns, side) {
  const { badge, reason, actions, isDeleting = false } = side(object);
  const cell = (name) => {
    const value = ownValue(object, name);
    const picture = filePicture(value, { className: "cell-picture", alt: "" });
    const shown = isFetched(object, name) ? valueNode(value) : el("span", { class: "value-absent" }, "not fetched");
    const node = el("td", {}, el("div", { class: "cell" }, picture, shown));
    if (value !== undefined) node.title = excerpt(valueText(value));
    return node;
  };
  return el(
    "tr",
    { class: isDeleting ? "is-deleting" : null, tabindex: "-1", data: { object: object.objectId, focus: `entry ${object.objectId}` } },
    el(
      "th",
      { scope: "row", class: "cell-id" },
      el("span", { class: "value-id" }, object.objectId),
      badge,
      reason && el("span", { class: "cell-reason", dir: "auto" }, reason),
    ),
    columns.map(cell),
    el("td", { class: "cell-moment" }, formatUtc(object.updatedAt)),
    el("td", { class: "cell-actions" }, actions),
  );
}

function drawPager(pager, { page, pageSize, total, isCounted, showPage }) {
  const first = page * pageSize + 1;
  const last = Math.min(total, first + pageSize - 1);
  pager.hidden = total <= pageSize || !isCounted;
  const pageButton = (label, iconName, target, isPossible) => {
    const control = button([icon(iconName), label], () => showPage(target), { className: "button-small", focus: `page ${label}` });
    control.disabled = !isPossible;
    return control;
  };
  const number = (value) => value.toLocaleString("en");
  fillWhenChanged(pager, JSON.stringify([page, total]), () => [
    pageButton("Previous", "before", page - 1, page > 0),
    el("p", { class: "pager-range", "aria-live": "polite" }, `${number(first)}–${number(last)} of ${number(total)}`),
    pageButton("Next", "after", page + 1, last < total),
  ]);
}
