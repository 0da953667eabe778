// The classes that are kept here, in the details: how many objects each has, and what can be done with it.

import { button, unseen } from "./buttons.js";
import { classShortfall } from "./class-shortfall.js";
import { el } from "./dom.js";
import { counted } from "./values.js";

export function classRows(classes, { editOptions, fetchClass, dropClass }) {
  if (classes.length === 0) return el("p", { class: "panel-none" }, "None yet.");
  const row = (entry) => {
    const { name, objects, registered, initialSyncComplete } = entry;
    const how = !registered ? ", sent only" : initialSyncComplete ? "" : ", not fetched yet";
    const act = (words, run) =>
      button([words, unseen(` ${name}`)], () => run(name), { look: "button-small button-quiet", focus: `${words} ${name}` });
    return el(
      "li",
      { class: "class-row" },
      el("span", { class: "class-name" }, name),
      el("span", { class: "class-words" }, counted(objects, "object") + how),
      el(
        "span",
        { class: "class-buttons" },
        act("Options", editOptions),
        registered ? act("Let go", dropClass) : act("Fetch", fetchClass),
      ),
      classShortfall(entry),
    );
  };
  return el("ul", { class: "class-rows" }, classes.map(row));
}
