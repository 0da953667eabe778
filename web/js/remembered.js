// What the browser remembers of the user's choices: whether the details panel is open, how times are shown, whether
// single keys are commands, the language, the width of the pane of an object, and how each class is shown.

import { record } from "./records.js";

const storageName = "tidegate.choices";
/** How tables show times: in the time zone of the browser, with UTC beside it, or in UTC. */
export const timesNames = ["local", "both", "utc"];
/** The parts of a table that the browser remembers. */
const partsOfTable = ["order", "view", "columns", "widths"];

/**
 * The remembered choices: {panelOpen, times, hasSingleKeys, language, paneWidth, classes: {name: {order, view, columns, widths}}}.
 * `times` is "local", "both" or "utc", `language` is null for the browser's, and `paneWidth`, in CSS pixels, is null for the standard width.
 */
export function readRemembered(storage = window.localStorage) {
  try {
    const { panelOpen, times, hasSingleKeys, language, paneWidth, classes } = JSON.parse(storage.getItem(storageName));
    return {
      panelOpen: panelOpen === true,
      times: timesNames.includes(times) ? times : timesNames[0],
      hasSingleKeys: hasSingleKeys !== false,
      language: typeof language === "string" ? language : null,
      paneWidth: Number.isFinite(paneWidth) ? paneWidth : null,
      classes: record(classes),
    };
  } catch {
    return { panelOpen: false, times: timesNames[0], hasSingleKeys: true, language: null, paneWidth: null, classes: record() };
  }
}

/** Adds the remembered parts of a table to the choices of a class. */
export function withTable(remembered, className, table) {
  const kept = partsOfTable.filter((name) => Object.hasOwn(table, name)).map((name) => [name, table[name]]);
  if (kept.length === 0) return remembered;
  const before = remembered.classes[className];
  const classes = record(remembered.classes, { [className]: { ...before, ...Object.fromEntries(kept) } });
  return { ...remembered, classes };
}

export function storeRemembered(remembered, storage = window.localStorage) {
  try {
    storage.setItem(storageName, JSON.stringify(remembered));
  } catch {
    // If the storage is full, a reload loses the newest choices.
  }
}
