import { classRows } from "../../../web/js/class-rows.js";
import { excerpt } from "../../../web/js/values.js";
import { tokenInAddress } from "../../../web/js/owner-session.js";
import { equal, test } from "./check.js";

const words = (objects, initialSyncComplete) => {
  const rows = classRows([{ name: "Boat", objects, registered: true, initialSyncComplete }], {});
  return rows.querySelector(".class-count").textContent;
};

test("the text of a class contains the progress of its first sync", () => {
  equal(words(0, false), "0 objects, not fetched yet");
  equal(words(31_000, false), "31,000 objects so far, first sync not complete");
  equal(words(31_000, true), "31,000 objects");
});

test("the address of an owner link has a token", () => {
  equal([tokenInAddress("#owner=a1B2"), tokenInAddress("#/Boat"), tokenInAddress("#owner=a/b")], ["a1B2", null, null]);
});

test("a long text is cut between characters", () => {
  equal(excerpt("short", 5), "short");
  equal(excerpt("longer", 4), "long …");
  equal(excerpt("ab😀cd", 3), "ab …");
});
