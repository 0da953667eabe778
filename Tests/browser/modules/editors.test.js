import { localText, localValue } from "../../../web/js/dates.js";
import { exactNumber, typedNumber } from "../../../web/js/editors/exact-number.js";
import { coordinatesText } from "../../../web/js/editors/geo-map.js";
import { pairOf } from "../../../web/js/editors/geo-point-editor.js";
import { jsonProblem } from "../../../web/js/editors/json-check.js";
import { textKinds } from "../../../web/js/editors/text-kinds.js";
import { equal, test } from "./check.js";

const isError = (value) => value instanceof Error;

test("a number is accepted if Parse stores it as it is written", () => {
  const texts = ["0", "-0", "7", "007", "+7", "0.1", ".5", "5.", "1e21", "1E-7", "100000000000000000000", "9007199254740992", "0.30000000000000004", "-1.50"];
  for (const text of texts) equal([text, exactNumber(text)], [text, Number(text)]);
});

test("a number that would become another number is an error", () => {
  for (const text of ["9007199254740993", "0.12345678901234567890", "123456789012345678901", "1e400", "x", "0x10", "1 2", "NaN", "Infinity", "1e"]) {
    equal([text, isError(exactNumber(text))], [text, true]);
  }
  equal(exactNumber("9007199254740993").message, "This number has more digits than Parse stores. It would become 9007199254740992.");
});

test("a typed number has the decimal separator of the language, or a point that can be nothing else", () => {
  const both = { "7": 7, "-12.5": -12.5, ".5": 0.5, "0.125": 0.125, "1234.567": 1234.567, "1.5e3": 1500, " 96.1 ": 96.1, "1.2345": 1.2345, "+7": 7 };
  for (const [text, value] of Object.entries(both)) equal([text, typedNumber(text, "."), typedNumber(text, ",")], [text, value, value]);
  const comma = { "12,5": 12.5, "-0,25": -0.25, "1,234": 1.234, "1234,567": 1234.567, "1,5e-3": 0.0015, ",5": 0.5 };
  for (const [text, value] of Object.entries(comma)) equal([text, typedNumber(text, ",")], [text, value]);
  equal(typedNumber("1.234", "."), 1.234);
});

test("a typed number that may have thousands separators is an error", () => {
  const reason = (text, separator) => typedNumber(text, separator).message;
  equal(reason("1.234", ","), "1.234 could mean 1234 or 1,234. Enter one of these.");
  equal(reason("-12.345e3", ","), "-12.345e3 could mean -12345e3 or -12,345e3. Enter one of these.");
  equal(reason("1,234", "."), "1,234 could mean 1234 or 1.234. Enter one of these.");
  equal(reason("12,5", "."), "The decimal separator is a point, as in 12.5.");
  for (const text of ["1.234,5", "1.234.567", "1,234,567", "1,234.5", ",,"]) {
    equal([reason(text, ","), reason(text, ".")], ["1234,5", "1234.5"].map((example) => `Enter the number without thousands separators, like ${example}.`));
  }
  equal(reason("x", ","), "Enter a number, like 7, 0,5 or 1e9.");
  equal(reason("x,5", "."), "Enter a number, like 7, 0.5 or 1e9.");
  equal(reason("0,12345678901234567890", ","), "This number has more digits than Parse stores. It would become 0,12345678901234568.");
  for (const text of ["1 234", "1'234", "0x10", "1e400"]) equal([text, isError(typedNumber(text, ","))], [text, true]);
});

test("a pair of coordinates is taken apart, and a decimal comma is not", () => {
  for (const text of ["52.0907, 5.1214", "52.0907,5.1214", " 52.0907;5.1214 ", "52.0907 ; 5.1214"]) equal(pairOf(text), ["52.0907", "5.1214"]);
  equal([pairOf("52,0907, 5,1214"), pairOf("52, -5")], [["52,0907", "5,1214"], ["52", "-5"]]);
  for (const text of ["52,0907", "52.0907", "52,", "52, ", "1, 2, 3", ""]) equal([text, pairOf(text)], [text, null]);
});

test("the place of an error in a JSON text is found", () => {
  const place = (text) => {
    const problem = jsonProblem(text);
    return problem && [problem.line, problem.column, problem.words];
  };
  equal(place('{"a": [1, -2.5e3, "é\\n\\u00e9", true, false, null, {}, []]}\n'), null);
  equal(place('{\n  "a": 1,\n  "b": tru\n}'), [3, 8, "tru is not a value. A text needs double quotes"]);
  equal(place('{\n  "a": 1,\n}'), [3, 1, "A comma before } is not allowed"]);
  equal(place('{"a" 1}'), [1, 6, "A colon is missing after the name of a member"]);
  equal(place('{"a": 1 "b": 2}'), [1, 9, "A comma or a } is missing"]);
  equal(place("{'a': 1}"), [1, 2, "The name of a member needs double quotes"]);
  equal(place("['a']"), [1, 2, "A text needs double quotes"]);
  equal(place('{"a": "x'), [1, 7, "The text has no closing quote"]);
  equal(place('["a\nb"]'), [1, 4, "A line break in a text is written as \\n"]);
  equal(place('["\\x"]'), [1, 3, 'After \\, one of " \\ / b f n r t or u with four digits is needed']);
  equal(place("[1, 2"), [1, 6, "A ] is missing"]);
  equal(place("[1] 2"), [1, 5, "There is more text after the value"]);
  equal(place("[01]"), [1, 2, "01 is not a number"]);
  equal(place('{"a": 1, "b": 2, "a": 3}'), [1, 18, 'The member "a" occurs twice']);
  equal(place('{"a": 9007199254740993}'), [1, 7, "This number has more digits than Parse stores. It would become 9007199254740992"]);
  equal(place("[".repeat(2000)) !== null, true);
});

test("a JSON text is accepted exactly if JSON.parse accepts it", () => {
  const parts = ['{', '}', '[', ']', ',', ':', '"a"', '"b"', "1", "-2.5", "true", "null", " ", "\n", '"\\u12"', "e"];
  let seed = 7;
  const random = (below) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
  const parses = (text) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  for (let round = 0; round < 20000; round += 1) {
    const text = Array.from({ length: 1 + random(8) }, () => parts[random(parts.length)]).join("");
    const problem = jsonProblem(text);
    if (problem?.words.endsWith("occurs twice")) continue;
    equal([text, problem === null], [text, parses(text)]);
  }
});

test("areas are edited without the corner that closes them", () => {
  const { write, read } = textKinds.polygon;
  const area = { __type: "Polygon", coordinates: [[0, 0], [0, 1], [1, 1], [0, 0]] };
  equal(write(area), "0, 0\n0, 1\n1, 1");
  equal(read("0, 0\n0, 1\n\n1, 1\n"), { __type: "Polygon", coordinates: [[0, 0], [0, 1], [1, 1]] });
  equal(read(" "), undefined);
  equal(read("0, 0\n0, 1\n0, 0").message, "An area has at least three different corners.");
  equal(read("0, 0\n91, 1\n1, 1").message, "Corner 2: Latitude is between -90 and 90, longitude between -180 and 180.");
});

test("bytes are checked", () => {
  const { read } = textKinds.bytes;
  equal(read(" aGVs\nbG8= "), { __type: "Bytes", base64: "aGVsbG8=" });
  equal(read(""), undefined);
  for (const text of ["@@@@", "aGV", "a===", "aG=s"]) equal([text, isError(read(text))], [text, true]);
});

test("a date is edited in local time and keeps its milliseconds", () => {
  // The tests run twelve hours ahead of UTC.
  const date = { __type: "Date", iso: "2031-05-17T14:30:15.250Z" };
  equal(localText(date), "2031-05-18T02:30:15.250");
  equal(localValue(localText(date)), date);
  equal(localValue("2031-01-01T00:00"), { __type: "Date", iso: "2030-12-31T11:00:00.000Z" });
  equal(localValue("x"), undefined);
  const early = { __type: "Date", iso: "0850-05-17T14:30:15.250Z" };
  equal(localValue(localText(early)), early);
});

test("coordinates are written with directions", () => {
  equal(coordinatesText({ latitude: 52.0907, longitude: -5 }), "52.0907° N, 5° W");
  equal(coordinatesText({ latitude: -1, longitude: 0 }), "1° S, 0° E");
});
