import { classCounts } from "../../../web/js/class-counts.js";
import { aboutText } from "../../../web/js/sync-text.js";
import { equal, test } from "./check.js";

test("a class has its numbers of objects, waiting changes and decisions", () => {
  const status = { classes: [{ name: "Boat", objects: 3 }, { name: "Anchor", objects: 0 }] };
  const of = (className) => ({ className });
  const lists = { pending: [of("Boat"), of("Boat")], rejections: [of("Boat")], conflicts: [of("Port")], removals: [of("Boat")] };
  equal(
    [...classCounts({ status, ...lists })],
    [
      ["Boat", { waiting: 2, decisions: 2, objects: 3 }],
      ["Anchor", { waiting: 0, decisions: 0, objects: 0 }],
      ["Port", { waiting: 0, decisions: 1 }],
    ],
  );
});

test("the number of waiting changes is that of the status, because the lists are read later", () => {
  const status = { classes: [{ name: "Boat", objects: 3, pending: 150 }, { name: "Port", objects: 1, pending: 0 }] };
  const pending = [{ className: "Boat" }, { className: "Port" }];
  const counts = classCounts({ status, pending, rejections: [], conflicts: [], removals: [] });
  equal([counts.get("Boat").waiting, counts.get("Port").waiting], [150, 0]);
});

test("one line says what the gateway is", () => {
  const replica = (counts) => ({ status: { mode: "replica", remote: { url: "https://example.org/parse" }, ...counts } });
  equal(aboutText({ status: null }), "");
  equal(aboutText({ status: { mode: "standalone" } }), "A Parse Server of its own. All objects are stored here.");
  equal(aboutText(replica({ pending: 0 })), "An offline copy of example.org.");
  equal(aboutText(replica({ pending: 3 })), "An offline copy of example.org. 3 changes wait to be sent.");
  equal(
    aboutText(replica({ pending: 1, conflicts: 2 })),
    "An offline copy of example.org. 1 change waits to be sent. 2 need your decision.",
  );
});
