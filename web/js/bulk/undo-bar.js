// The line at the bottom of the page that offers to undo the last action for many objects. It stays until the user closes it, or
// until the next action.

import { runJob } from "./job.js";
import { withProgress } from "./progress-dialog.js";
import { counted, plural, t } from "../texts.js";
import { createUndoRun } from "./undo-run.js";
import { StoppedError } from "../api.js";
import { button, iconButton } from "../buttons.js";
import { openDialog } from "../dialog.js";
import { el, fill } from "../dom.js";
import { isReplica } from "../sync-text.js";

/** The maximum number of objects that the question names. */
const namedMax = 50;

export function createUndoBar(container, { api, state, notices, reload }) {
  const pendingOf = async () => {
    if (!isReplica(state.values)) return [];
    const own = state.values.user?.objectId;
    return (await api.pending()).filter(({ space, user }) => space === undefined && (user === undefined || user === own));
  };
  const undoRun = createUndoRun({ api, pendingOf });

  function close() {
    if (container.contains(document.activeElement)) document.getElementById("main").focus({ preventScroll: true });
    container.hidden = true;
    fill(container);
  }

  /**
   * Offers to undo an action.
   *
   * @param words what was done
   * @param undone the undo, see `undo-run.js`. `sentences(steps)` tells what the steps do. `lead` is a text above these sentences;
   *   absent for none.
   */
  function offer(words, undone) {
    const text = el("p", { dir: "auto" }, words);
    fill(container, text, button(t("Undo"), () => undo(words, undone), { className: "button-small" }), iconButton(t("Close the offer to undo"), "close", close));
    container.hidden = false;
    // The line tells about the latest action in place of a notice.
    notices.dropPassing();
    notices.announce(`${words} ${t("You can undo it.")}`);
  }

  async function undo(words, undone) {
    let steps;
    try {
      steps = await withProgress({ title: t("Reading"), total: null }, ({ signal }) => undoRun.stepsFor(undone, undone.items, signal));
    } catch (error) {
      if (!(error instanceof StoppedError)) notices.warn(error.message);
      return;
    }
    const possible = steps.filter(({ step }) => step.action !== "leave").map(({ item }) => item);
    if (!(await askToUndo(words, undone, steps))) return;
    const done = await runJob({
      title: t("Undoing"),
      items: possible,
      send: (items, progress) => undoRun.send(undone, items, progress),
      doneText: (count) => plural("{count} object has its former state again", "{count} objects have their former state again", { count }),
      overwrite: "",
    });
    const ended = new Set(done);
    const remaining = undone.items.filter((item) => !ended.has(item));
    // What was not possible now may be possible later.
    if (done.length < possible.length) offer(words, { ...undone, items: remaining });
    else close();
    await reload();
    const left = remaining.length > 0 ? plural(" {count} object left as it is.", " {count} objects left as they are.", { count: remaining.length }) : "";
    notices.tell(`${t("Undone for {objects}.", { objects: counted(done.length, "object") })}${left}`);
  }

  return { offer, close };
}

/** Shows what an undo will do. Resolves to whether the user wants it. */
function askToUndo(words, undone, steps) {
  return new Promise((resolve) => {
    let answer = false;
    const left = steps.filter(({ step }) => step.action === "leave");
    const isPossible = left.length < steps.length;
    const noButton = button(isPossible ? t("Cancel") : t("Done"), () => frame.close());
    const yes = () => {
      answer = true;
      frame.close();
    };
    const frame = openDialog({
      title: t("Undo?"),
      content: el(
        "div",
        { class: "object-form" },
        el(
          "div",
          { class: "form-rows" },
          el("p", { dir: "auto" }, words),
          undone.lead && el("p", {}, undone.lead),
          el("ul", { class: "undo-steps" }, undone.sentences(steps.map(({ step }) => step)).map((line) => el("li", {}, line))),
          left.length > 0 && el(
            "ul",
            { class: "bulk-failures", "aria-label": t("Left as they are") },
            left.slice(0, namedMax).map(({ item, step }) =>
              el("li", {}, el("span", { class: "bulk-name", dir: "auto" }, item.name), el("span", { class: "bulk-reason", dir: "auto" }, `${step.reason}.`)),
            ),
          ),
          left.length > namedMax && el("p", { class: "hint" }, t("and {others}", { others: counted(left.length - namedMax, "other") })),
        ),
        el("div", { class: "dialog-actions" }, noButton, isPossible && button(t("Undo"), yes, { className: "button-primary" })),
      ),
    });
    frame.dialog.addEventListener("close", () => resolve(answer));
    noButton.focus();
  });
}
