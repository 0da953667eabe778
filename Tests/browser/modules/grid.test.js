import { columnStart, columnWindow } from "../../../web/js/grid/column-window.js";
import { allColumns, columnsText, moved, shownColumns, standardColumns } from "../../../web/js/grid/columns.js";
import { movedCursor, nextCell } from "../../../web/js/grid/cursor.js";
import { editorKind } from "../../../web/js/grid/cells.js";
import { fullOrder, keysetCondition, keysetConditions, reversedOrder } from "../../../web/js/grid/keyset.js";
import { chunksOf, indexOf, isSamePlaces, loadedRows, rowAt, withChunk } from "../../../web/js/grid/row-window.js";
import { formatTime } from "../../../web/js/dates.js";
import { equal, test } from "./check.js";

const types = { hours: { type: "Number" }, name: { type: "String" }, place: { type: "GeoPoint" } };

test("a name is the first of the standard columns, and every field can be a column", () => {
  equal(standardColumns(types), ["name", "hours", "place", "objectId", "updatedAt"]);
  equal(standardColumns({ hours: { type: "Number" } }), ["objectId", "hours", "updatedAt"]);
  equal(allColumns(types), ["name", "hours", "place", "objectId", "createdAt", "updatedAt", "ACL"]);
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`field${at}`, { type: "Number" }]));
  equal(columnsText(standardColumns(many).length, many), "14 of 204 columns");
});

test("chosen columns keep their order and their bounded widths", () => {
  const columns = shownColumns(types, ["ACL", "hours"], { hours: 9_999, ACL: 1 });
  equal(columns.map(({ name, width }) => [name, width]), [["ACL", 56], ["hours", 900]]);
  equal(columns.map(({ isNumber, isSortable }) => [isNumber, isSortable]), [[false, false], [true, true]]);
  equal(moved(["a", "b", "c"], "a", 1), ["b", "a", "c"]);
  equal(moved(["a", "b", "c"], "a", -1), ["a", "b", "c"]);
});

test("rows after a row are found by the values of the sort field and the id", () => {
  const row = { objectId: "k", hours: 5, updatedAt: "2031-01-01T00:00:00.000Z", done: null };
  equal(keysetCondition(row, "hours"), { hours: { $gte: 5 }, $or: [{ hours: { $gt: 5 } }, { objectId: { $gt: "k" } }] });
  equal(keysetCondition(row, "-hours", true), { hours: { $gte: 5 }, $or: [{ hours: { $gt: 5 } }, { objectId: { $lt: "k" } }] });
  const date = { __type: "Date", iso: row.updatedAt };
  equal(keysetCondition(row, "-updatedAt"), {
    updatedAt: { $lte: date },
    $or: [{ updatedAt: { $lt: date } }, { objectId: { $gt: "k" } }],
  });
  equal(keysetCondition(row, "-objectId"), { objectId: { $lt: "k" } });
  equal([keysetCondition(row, "done"), keysetCondition(row, "missing")], [null, null]);
});

test("rows without a value in the sort field are a part of the list", () => {
  const row = { objectId: "k", hours: 5 };
  const empty = { objectId: "k", hours: null };
  equal(keysetConditions(row, "hours"), [keysetCondition(row, "hours")]);
  equal(keysetConditions(row, "-hours"), [keysetCondition(row, "-hours"), { hours: null }]);
  equal(keysetConditions(row, "hours", true), [keysetCondition(row, "hours", true), { hours: null }]);
  equal(keysetConditions(empty, "hours"), [{ hours: null, objectId: { $gt: "k" } }, { hours: { $ne: null } }]);
  equal(keysetConditions(empty, "hours", true), [{ hours: null, objectId: { $lt: "k" } }]);
  equal(keysetConditions({ ...row, hours: ["a"] }, "hours"), null);
});

test("an order has objectId as its last field", () => {
  equal([fullOrder("-due"), fullOrder("objectId")], ["-due,objectId", "objectId"]);
  equal([reversedOrder("-due"), reversedOrder("-objectId")], ["due,-objectId", "objectId"]);
});

test("rows are found in their chunks", () => {
  const row = (number) => ({ objectId: `id${number}` });
  const chunks = withChunk(withChunk(new Map(), 1, [row(100), row(101)]), 0, [row(0)]);
  equal(chunksOf(95, 205, 1_000), [0, 1, 2]);
  equal(chunksOf(95, 205, 100), [0]);
  equal([rowAt({ chunks }, 101), rowAt({ chunks }, 102), rowAt({ chunks }, 5_000)], [row(101), null, null]);
  equal([indexOf({ chunks }, "id101"), indexOf({ chunks }, "id7")], [101, -1]);
  equal(loadedRows(chunks), [row(0), row(100), row(101)]);
});

test("the chunks that are farthest from the latest one are forgotten", () => {
  let chunks = new Map();
  for (let number = 0; number < 40; number += 1) chunks = withChunk(chunks, number, []);
  equal([chunks.size, chunks.has(0), chunks.has(39)], [30, false, true]);
});

test("a new object that gets its final id keeps its place", () => {
  const shown = [{ objectId: "local", _sync: { state: "created" } }, { objectId: "b" }];
  equal(isSamePlaces(shown, [{ objectId: "a" }, { objectId: "b" }]), true);
  equal(isSamePlaces(shown, [{ objectId: "b" }, { objectId: "a" }]), false);
  equal(isSamePlaces(shown, [{ objectId: "a" }]), false);
});

test("keys move the cursor within the table", () => {
  const size = { rows: 100, columns: 5, page: 20 };
  const at = (row, column) => ({ row, column });
  const press = (key, cell, keys = {}) => movedCursor(cell, { key, ...keys }, size);
  equal(press("ArrowUp", at(0, 2)), at(-1, 2));
  equal(press("ArrowUp", at(-1, 2)), at(-1, 2));
  equal(press("ArrowRight", at(3, 4)), at(3, 4));
  equal(press("PageDown", at(90, 1)), at(99, 1));
  equal(press("End", at(3, 1), { ctrlKey: true }), at(99, 4));
  equal(press("Home", at(3, 3)), at(3, 0));
  equal([press("x", at(0, 0)), press("ArrowLeft", at(0, 1), { altKey: true })], [null, null]);
  equal(nextCell(at(3, 4), false, size), at(4, 0));
  equal(nextCell(at(0, 0), true, size), null);
});

test("a cell is edited in place if its type has a one-line editor", () => {
  equal([editorKind("a", "String"), editorKind(5, "Number"), editorKind(true, "Boolean")], ["text", "number", "boolean"]);
  equal([editorKind(undefined, "Date"), editorKind(null, "Number")], ["moment", "number"]);
  equal([editorKind("a\nb", "String"), editorKind("a".repeat(3_000), "String"), editorKind("5", "Number")], [null, null, null]);
  equal([editorKind([], "Array"), editorKind(undefined, "Pointer")], [null, null]);
});

test("a time is shown in the time zone of the user, and a day without a time", () => {
  equal(formatTime("2031-05-17T14:30:00.000Z"), "18 May 2031, 02:30");
  equal(formatTime("2031-05-17T00:00:00.000Z"), "17 May 2031");
});

test("a wide table has cells for the columns near the visible ones", () => {
  const columns = (count) => Array.from({ length: count }, () => ({ width: 100 }));
  equal(columnWindow(columns(20), 500, 300), { first: 1, last: 19 });
  equal(columnWindow(columns(200), 0, 1_000), { first: 1, last: 16 });
  equal(columnWindow(columns(200), 10_000, 1_000), { first: 96, last: 112 });
  equal(columnWindow(columns(200), 19_000, 1_000), { first: 184, last: 199 });
  equal([columnStart(columns(9), 1), columnStart(columns(9), 4)], [0, 300]);
});
