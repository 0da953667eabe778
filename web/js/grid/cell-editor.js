// Edits one value in its cell. Enter saves and goes down, Tab saves and goes on, Escape leaves the value as it was. An invalid value is
// not saved: the editor stays open with the reason, or closes and reports the reason if the focus has left.

import { editorKind, valueOf } from "./cells.js";
import { isDay, zoneName } from "../dates.js";
import { createTextEditor } from "../editors/text-editor.js";
import { el, fill } from "../dom.js";
import { isFetched } from "../live-form.js";
import { isDenied } from "../object-view.js";
import { sideways } from "../direction.js";
import { t } from "../texts.js";

/** Fields that are not edited in place, because the gateway sets them. */
const ownFields = new Set(["objectId", "createdAt", "updatedAt"]);
/** The room for the reason why a value is invalid, in CSS pixels: its width as in grid.css, and the height of two lines. */
const problemSize = { width: 320, height: 60 };

const problemId = "cell-problem";

/**
 * Opens the editor of a cell; null if the value is not edited in place.
 *
 * @param isUtc whether the table shows times in UTC
 * @param save `(value)`: saves a changed value; undefined deletes the field
 * @param refuse `(reason)`: called if the focus has left an invalid value, which is not saved
 * @param done `(step)`: called when the editor has closed; `step` is "down", "next", "back" or "stay", null if the focus has left
 */
export function openCellEditor({ cell, object, column, isUtc, save, refuse, done }) {
  const { name, type } = column;
  const value = valueOf(object, name);
  const kind = editorKind(value, type);
  if (kind === null || ownFields.has(name) || isDenied(object, "update") || !isFetched(object, name)) return null;
  const inUtc = isUtc || isDay(value);
  const editor = createTextEditor(kind === "moment" && !inUtc ? "localMoment" : kind, value === null ? undefined : value, { "aria-label": name, "aria-describedby": problemId });
  const { control } = editor;
  const problem = el("p", { class: "cell-problem", id: problemId, role: "alert", dir: "auto", hidden: true });
  let isOver = false;
  const nullButton = el("button", { class: "cell-null", type: "button", tabindex: "-1", title: t("Set to null (Alt+N)"), on: { pointerdown: (event) => (event.preventDefault(), finish("stay", null)) } }, "null");
  control.classList.add("cell-input");
  const before = [...cell.childNodes];
  // The editor of a time shows it in the zone of the cell, and says which one.
  const zone = kind === "moment" && el("span", { class: "cell-zone" }, inUtc ? "UTC" : zoneName(value));
  fill(cell, el("div", { class: "cell-editor" }, editor.node, zone, nullButton, problem));
  cell.classList.add("is-editing");
  control.addEventListener("keydown", press);
  control.addEventListener("input", () => tell(null));
  control.addEventListener("blur", () => finish(null));
  if (control.type === "text") control.setSelectionRange(control.value.length, control.value.length);
  control.focus();
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
    const isChanged = given === undefined ? editor.isChanged() || editor.isIncomplete() : value !== given;
    const entered = given === undefined && isChanged ? editor.read() : given;
    const reason = isChanged && given === undefined ? invalid(entered) : null;
    if (reason !== null && step !== null) return tell(reason);
    close(step);
    if (reason !== null) refuse(reason);
    else if (isChanged) save(entered);
  }

  /** The reason why an entered value is invalid; null for a valid one. */
  function invalid(entered) {
    if (editor.isIncomplete()) return t("{name} is incomplete.", { name });
    return entered instanceof Error ? entered.message : null;
  }

  /** Shows a reason at the editor, on the side where the table has room; null hides it. */
  function tell(reason) {
    control.setAttribute("aria-invalid", String(reason !== null));
    const place = cell.getBoundingClientRect();
    const room = cell.closest(".grid-frame").getBoundingClientRect();
    problem.classList.toggle("is-above", place.bottom + problemSize.height > room.bottom);
    problem.classList.toggle("is-at-end", (sideways() > 0 ? room.right - place.left : place.right - room.left) < problemSize.width);
    problem.textContent = reason ?? "";
    problem.hidden = reason === null;
  }

  function close(step) {
    if (isOver) return;
    isOver = true;
    fill(cell, before);
    cell.classList.remove("is-editing");
    done(step);
  }
}
