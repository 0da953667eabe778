// Checks a JSON text, and finds the place of its first error. The messages of browsers differ, and some do not name the place.

import { exactNumber } from "./exact-number.js";
import { t } from "../texts.js";

/** The maximum depth of nested lists and objects. */
const depthMax = 500;

/**
 * The first error of a JSON text: {at, line, column, words}; null for valid JSON. A member that occurs twice and a number with too
 * many digits are errors too, because they would be stored as something else.
 */
export function jsonProblem(text) {
  const reader = { text, at: 0 };
  try {
    readValue(reader, 0);
    skipSpace(reader);
    if (reader.at < text.length) fail(reader, t("There is more text after the value"));
    return null;
  } catch (problem) {
    if (!(problem instanceof Mistake)) throw problem;
    const { at, message: words } = problem;
    const before = text.slice(0, at).split("\n");
    return { at, words, line: before.length, column: before.at(-1).length + 1 };
  }
}

/** An error at a place of the text. */
class Mistake extends Error {
  constructor(at, words) {
    super(words);
    this.at = at;
  }
}

function fail({ at }, words, place = at) {
  throw new Mistake(place, words);
}

function skipSpace(reader) {
  while (/[ \t\n\r]/.test(reader.text[reader.at] ?? "")) reader.at += 1;
}

function readValue(reader, depth) {
  skipSpace(reader);
  if (depth > depthMax) fail(reader, t("The value is nested too deeply"));
  const mark = reader.text[reader.at];
  if (mark === undefined) fail(reader, t("A value is missing"));
  if (mark === "{") return readItems(reader, "}", () => readMember(reader, depth));
  if (mark === "[") return readItems(reader, "]", () => readValue(reader, depth + 1));
  if (mark === '"') return readText(reader);
  const word = /^[\w.+-]+/.exec(reader.text.slice(reader.at, reader.at + 400))?.[0];
  if (word === undefined) fail(reader, mark === "'" ? t("A text needs double quotes") : t("{mark} is not expected here", { mark }));
  if (/^-?\d/.test(word)) readNumber(reader, word);
  else if (!["true", "false", "null"].includes(word)) fail(reader, t("{word} is not a value. A text needs double quotes", { word }));
  reader.at += word.length;
}

function readNumber(reader, word) {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(word)) fail(reader, t("{word} is not a number", { word }));
  const number = exactNumber(word);
  if (number instanceof Error) fail(reader, number.message.replace(/\.$/, ""));
}

/** Reads the items of a list or of an object, up to the closing bracket. */
function readItems(reader, close, readItem) {
  const names = new Set();
  reader.at += 1;
  skipSpace(reader);
  if (reader.text[reader.at] === close) return void (reader.at += 1);
  for (;;) {
    skipSpace(reader);
    const begin = reader.at;
    const name = readItem();
    if (name !== undefined && names.has(name)) fail(reader, t("The member {value} occurs twice", { value: JSON.stringify(name) }), begin);
    names.add(name);
    skipSpace(reader);
    const mark = reader.text[reader.at];
    if (mark === undefined) fail(reader, t("A {close} is missing", { close }));
    if (mark !== "," && mark !== close) fail(reader, t("A comma or a {close} is missing", { close }));
    reader.at += 1;
    if (mark === close) return undefined;
    skipSpace(reader);
    if (reader.text[reader.at] === close) fail(reader, t("A comma before {close} is not allowed", { close }));
  }
}

function readMember(reader, depth) {
  if (reader.text[reader.at] !== '"') fail(reader, t("The name of a member needs double quotes"));
  const begin = reader.at;
  readText(reader);
  const name = JSON.parse(reader.text.slice(begin, reader.at));
  skipSpace(reader);
  if (reader.text[reader.at] !== ":") fail(reader, t("A colon is missing after the name of a member"));
  reader.at += 1;
  readValue(reader, depth + 1);
  return name;
}

function readText(reader) {
  const begin = reader.at;
  for (reader.at += 1; ; reader.at += 1) {
    const mark = reader.text[reader.at];
    if (mark === undefined) fail(reader, t("The text has no closing quote"), begin);
    if (mark === '"') return void (reader.at += 1);
    if (mark < " ") fail(reader, mark === "\n" ? t("A line break in a text is written as \\n") : t("A control character in a text is written as an escape, such as \\t"));
    if (mark !== "\\") continue;
    const escape = /^\\(["\\/bfnrt]|u[\da-fA-F]{4})/.exec(reader.text.slice(reader.at, reader.at + 6));
    if (escape === null) fail(reader, t("After \\, one of \" \\ / b f n r t or u with four digits is needed"));
    reader.at += escape[0].length - 1;
  }
}
