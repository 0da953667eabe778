import { fileNameOf, formats } from "../../../web/js/bulk/exports.js";
import { sortedBy } from "../../../web/js/bulk/sorted.js";
import { cellText } from "../../../web/js/bulk/table-text.js";
import { equal, test } from "./check.js";

const types = { name: { type: "String" }, hours: { type: "Number" }, project: { type: "Pointer", targetClass: "Project" } };

test("a text that a spreadsheet could run gets an apostrophe", () => {
  const hostile = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\uff1d1"];
  equal(hostile.map(cellText), hostile.map((text) => `'${text}`));
  equal(["a=1", "'=1", " =1", ""].map(cellText), ["a=1", "'=1", " =1", ""]);
  equal(["=", "-"].map((iso) => cellText({ __type: "Date", iso })), ["'=", "'-"]);
  equal(cellText({ __type: "Pointer", className: "X", objectId: "=HYPERLINK()" }), "'=HYPERLINK()");
  equal([-5, 1.5, true, null, undefined].map(cellText), ["-5", "1.5", "true", "", ""]);
  equal([["=1"], { a: 1 }].map(cellText), ['["=1"]', '{"a":1}']);
});

test("CSV has a typed head, quotes and line ends as in RFC 4180", () => {
  const project = { __type: "Pointer", className: "Project", objectId: "p" };
  const objects = [{ objectId: "a", name: 'He said "=1", twice', hours: -5, project }, { objectId: "b", name: "two\nlines" }];
  equal(formats.csv.write(objects, ["name", "hours", "project", "objectId"], types),
    '\ufeffname:String,hours:Number,project:Pointer<Project>,objectId:String\r\n"He said ""=1"", twice",-5,p,a\r\n"two\nlines",,,b\r\n');
});

test("all fields of the objects are exported, also those that the page does not know", () => {
  const objects = [{ objectId: "a", extra: [1], _sync: { state: "synced" } }];
  equal(formats.csv.write(objects, null, {}), "\ufeffobjectId:String,createdAt:Date,updatedAt:Date,ACL:ACL,extra\r\na,,,,[1]\r\n");
  equal(formats.ndjson.write(objects, null), '{"objectId":"a","extra":[1]}\n');
  equal(formats.ndjson.write(objects, ["extra"]), '{"extra":[1]}\n');
  equal(JSON.parse(formats.json.write(objects, null)), [{ objectId: "a", extra: [1] }]);
});

test("a copied text has tabs between its cells", () => {
  equal(formats.text.write([{ name: "a\tb", hours: 2 }], ["name", "hours"], types), 'name\thours\n"a\tb"\t2\n');
});

test("objects have the order of the list", () => {
  const objects = [{ objectId: "c", due: { __type: "Date", iso: "2031" } }, { objectId: "b" }, { objectId: "a", due: { __type: "Date", iso: "2030" } }, { objectId: "d" }];
  equal(sortedBy(objects, "due").map(({ objectId }) => objectId), ["b", "d", "a", "c"]);
  equal(sortedBy(objects, "-due").map(({ objectId }) => objectId), ["c", "a", "b", "d"]);
});

test("a file is named after its class", () => {
  equal(fileNameOf("Ta/sk", formats.csv, new Date("2031-05-17T00:00:00Z")), "Ta_sk-2031-05-17.csv");
});
