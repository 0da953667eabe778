import { counted, listed, numberText, plural, t, tNodes } from "../../../web/js/texts.js";
import { equal, test } from "./check.js";

test("a text has its values in place of their names", () => {
  equal(t("Delete {name}", { name: "Easter" }), "Delete Easter");
  equal(t("{a} and {b}", { a: 1, b: "{a}" }), "1 and {a}");
  equal(t("Enter an object: { … }."), "Enter an object: { … }.");
  equal(t("constructor"), "constructor");
});

test("a text can have nodes as values", () => {
  const node = document.createElement("b");
  equal(tNodes("The sessions of {name}.", { name: node }).map((part) => (part === node ? "node" : part)), ["The sessions of ", "node", "."]);
});

test("the form of a text follows the number", () => {
  const waits = (count) => plural("{count} change waits", "{count} changes wait", { count });
  equal([waits(0), waits(1), waits(1200)], ["0 changes wait", "1 change waits", "1,200 changes wait"]);
  equal([counted(1, "match", "matches"), counted(2, "match", "matches")], ["1 match", "2 matches"]);
});

test("numbers and lists have the form of the locale", () => {
  equal(numberText(1234.5), "1,234.5");
  equal([listed(["a"]), listed(["a", "b", "c"])], ["a", "a, b and c"]);
});
