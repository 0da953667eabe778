// Edits one value in its cell. Enter saves and goes down, Tab saves and goes on, Escape leaves the value as it was.

import { editorKind, valueOf } from "./cells.js";
import { isDay, zoneName } from "../dates.js";
import { createTextEditor } from "../editors/text-editor.js";
import { el, fill } from "../dom.js";
import { isFetched } from "../live-form.js";
import { isDenied } from "../object-view.js";
import { t } from "../texts.js";

/** Fields that are not edited in place, because the gateway sets them. */
const ownFields = new Set(["objectId", "createdAt", "updatedAt"]);

/**
 * Opens the editor of a cell; null if the value is not edited in place.
 *
 * @param isUtc whether the table shows times in UTC
 * @param save `(value)`: saves a changed value; undefined deletes the field
 * @param done `(step)`: called when the editor has closed; `step` is "down", "next", "back" or "stay", null if the focus has left
 */
export function openCellEditor({ cell, object, column, isUtc, save, done }) {
  const { name, type } = column;
  const value = valueOf(object, name);
  const kind = editorKind(value, type);
  if (kind === null || ownFields.has(name) || isDenied(object, "update") || !isFetched(object, name)) return null;
  const inUtc = isUtc || isDay(value);
  const editor = createTextEditor(kind === "moment" && !inUtc ? "localMoment" : kind, value === null ? undefined : value, { "aria-label": name });
  const { control } = editor;
  let isOver = false;
  const nullButton = el("button", { class: "cell-null", type: "button", tabindex: "-1", title: t("Set to null (Alt+N)"), on: { pointerdown: (event) => (event.preventDefault(), finish("stay", null)) } }, "null");
  control.classList.add("cell-input");
  const before = [...cell.childNodes];
  // The editor of a time shows it in the zone of the cell, and says which one.
  const zone = kind === "moment" && el("span", { class: "cell-zone" }, inUtc ? "UTC" : zoneName(value));
  fill(cell, el("div", { class: "cell-editor" }, editor.node, zone, nullButton));
  cell.classList.add("is-editing");
  control.addEventListener("keydown", press);
  control.addEventListener("blur", () => finish(null));
  control.focus();
  control.select?.();
  return {};

  function press(event) {
    event.stopPropagation();
    if (event.key === "Escape") return close("stay");
    if (event.altKey && event.key.toLowerCase() === "n") return event.preventDefault(), finish("stay", null);
    if (event.key !== "Enter" && event.key !== "Tab") return;
    event.preventDefault();
    finish(event.key === "Enter" ? "down" : event.shiftKey ? "back" : "next");
  }

  /** Saves the entered value, or the given one, and closes the editor. An invalid value keeps it open. */
  function finish(step, given) {
    if (isOver) return;
    const entered = given === undefined ? editor.read() : given;
    const isInvalid = entered instanceof Error || editor.isIncomplete();
    if (isInvalid && step !== null) {
      control.setAttribute("aria-invalid", "true");
      control.title = entered instanceof Error ? entered.message : t("{name} is incomplete.", { name });
      return;
    }
    const isChanged = given === undefined ? editor.isChanged() && !isInvalid : value !== given;
    close(step);
    if (isChanged) save(entered);
  }

  function close(step) {
    if (isOver) return;
    isOver = true;
    fill(cell, before);
    cell.classList.remove("is-editing");
    done(step);
  }
}
