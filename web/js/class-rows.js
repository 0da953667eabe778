// The list of synced classes in the details panel, with each class's number of objects and its actions.

import { button, visuallyHidden } from "./buttons.js";
import { fetchWarnings } from "./fetch-warnings.js";
import { el } from "./dom.js";
import { counted, t } from "./texts.js";

/** @param mayChange whether to show the actions */
export function classRows(classes, { editOptions, fetchClass, dropClass }, mayChange = true) {
  if (classes.length === 0) return el("p", { class: "panel-none" }, t("None yet."));
  const row = (entry) => {
    const { name, objects, registered, initialSyncComplete } = entry;
    const yet = objects > 0 ? t(" so far, first sync not complete") : t(", not fetched yet");
    const how = !registered ? t(", send only") : initialSyncComplete ? "" : yet;
    const act = (words, run) =>
      button([words, visuallyHidden(` ${name}`)], () => run(name), { className: "button-small button-quiet", focus: `${words} ${name}` });
    return el(
      "li",
      { class: "class-row" },
      el("span", { class: "class-name" }, name),
      el("span", { class: "class-count" }, counted(objects, "object") + how),
      mayChange && el(
        "span",
        { class: "class-buttons" },
        act(t("Options"), editOptions),
        registered ? act(t("Stop syncing"), dropClass) : act(t("Fetch"), fetchClass),
      ),
      fetchWarnings(entry),
    );
  };
  return el("ul", { class: "class-rows" }, classes.map(row));
}
