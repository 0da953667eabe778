import { createObjectCounter } from "../../../web/js/transfer/object-counter.js";
import { equal, test } from "./check.js";

/** The number of objects in a file that arrives in pieces of a few bytes. */
function countIn(format, text, pieceBytes = 3) {
  const counter = createObjectCounter(format);
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) counter.take(bytes.subarray(at, at + pieceBytes));
  return counter.count();
}

test("the objects of each format are counted", () => {
  equal(countIn("ndjson", '{"name":"a\\n\\"b"}\n{"name":"c"}\n'), 2);
  equal(countIn("parse", '{"results":[\n{"name":"a"},\n{"name":"b"}\n]}\n'), 2);
  equal(countIn("csv", '\uFEFFname:String,note:String\r\na,"two\r\nlines, and ""quotes""\n"\r\nb,c\r\n'), 2);
});

test("a file without objects has none", () => {
  equal(countIn("ndjson", ""), 0);
  equal(countIn("parse", '{"results":[\n]}\n'), 0);
  equal(countIn("csv", "\uFEFFname:String\r\n"), 0);
});
