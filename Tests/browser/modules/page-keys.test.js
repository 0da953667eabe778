import { commandOf } from "../../../web/js/page-keys.js";
import { objectQuery } from "../../../web/js/go-to.js";
import { readRemembered, storeRemembered, withTable } from "../../../web/js/remembered.js";
import { equal, test } from "./check.js";

test("single keys are commands outside of text fields, unless the user has turned them off", () => {
  const command = (key, keys = {}, isTyping = false, hasSingleKeys = true) => commandOf({ key, ...keys }, { isTyping, hasSingleKeys });
  equal(["/", "n", "e", "?", "x"].map((key) => command(key)), ["search", "add", "edit", "help", null]);
  equal([command("n", {}, true), command("n", {}, false, false), command("n", { ctrlKey: true })], [null, null, null]);
  equal([command("k", { ctrlKey: true }, true), command("K", { metaKey: true }), command("k", { altKey: true, ctrlKey: true })], ["goTo", "goTo", null]);
});

test("the keys of the pane are commands also in text fields", () => {
  const command = (key, keys = {}) => commandOf({ key, ...keys }, { isTyping: true, hasSingleKeys: false });
  equal([command("F6"), command("PageUp", { altKey: true }), command("PageDown", { altKey: true })], ["switchPane", "previous", "next"]);
  equal([command("PageUp"), command("PageDown", { ctrlKey: true }), command("x", { altKey: true })], [null, null, null]);
});

test("an object is found by a part of its name or by its id", () => {
  const pattern = { $regex: "a\\.b", $options: "i" };
  equal(objectQuery("a.b"), { $or: [{ name: pattern }, { title: pattern }, { objectId: "a.b" }] });
});

test("the choices of each class are remembered without its filter and its place", () => {
  const storage = new Map();
  const asStorage = { getItem: (name) => storage.get(name) ?? null, setItem: (name, text) => storage.set(name, text) };
  const first = readRemembered(asStorage);
  equal(first, { panelOpen: false, times: "local", hasSingleKeys: true, language: null, paneWidth: null, classes: {} });
  equal(withTable(first, "Boat", { at: 5, where: { name: "a" } }) === first, true);
  const changed = withTable(withTable(first, "Boat", { order: "-due", at: 0 }), "__proto__", { view: "almanac" });
  storeRemembered(changed, asStorage);
  const { classes } = readRemembered(asStorage);
  equal([classes.Boat, classes.__proto__], [{ order: "-due" }, { view: "almanac" }]);
});
