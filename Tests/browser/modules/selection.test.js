import { allIn, isSelected, noneOf, renamed, selectedCount, selectionText, toggled, withSelected } from "../../../web/js/selection/selection.js";
import { selectionCommand } from "../../../web/js/grid/select-keys.js";
import { equal, test } from "./check.js";

const ids = ({ ids, except }) => [[...ids], [...except]];

test("single objects and ranges are selected by their ids", () => {
  const two = withSelected(toggled(noneOf("list"), "a"), ["b", "a"]);
  equal(ids(two), [["a", "b"], []]);
  equal(ids(toggled(two, "a")), [["b"], []]);
  equal([isSelected(two, "b"), isSelected(two, "c"), selectedCount(two, 10)], [true, false, 2]);
  equal(ids(renamed(two, "a", "c")), [["c", "b"], []]);
});

test("a selection of all objects has the ids of the others", () => {
  const most = toggled(toggled(allIn("list"), "a"), "b");
  equal([isSelected(most, "a"), isSelected(most, "c"), selectedCount(most, 10)], [false, true, 8]);
  equal(ids(withSelected(most, ["a", "c"])), [[], ["b"]]);
});

test("the number of selected objects is told in words", () => {
  const text = (selection, total, isNarrowed) => selectionText(selection, { total, isNarrowed });
  equal(text(toggled(noneOf("list"), "a"), 10, true), "1 object selected");
  equal(text(allIn("list"), 1_204, true), "All 1,204 matching objects are selected");
  equal(text(toggled(allIn("list"), "a"), 1_204, false), "All 1,204 objects except 1 are selected");
  equal(text(allIn("list"), 1, true), "The only matching object is selected");
  equal(text(toggled(allIn("list"), "a"), 1_204, true), "All 1,204 matching objects except 1 are selected");
  equal(text(allIn("list"), 205, false), "All 205 objects are selected");
});

test("keys of a table select rows", () => {
  equal([selectionCommand({ key: " " }), selectionCommand({ key: " ", shiftKey: true })], ["toggle", "range"]);
  equal([selectionCommand({ key: "a", metaKey: true }), selectionCommand({ key: "A", ctrlKey: true })], ["all", "all"]);
  equal([selectionCommand({ key: "a" }), selectionCommand({ key: "Escape" }), selectionCommand({ key: " ", altKey: true })], [null, "clear", null]);
});
