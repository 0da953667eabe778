// Modal dialogs: a frame for forms, and questions that are answered with yes or no.

import { button, iconButton } from "./buttons.js";
import { el } from "./dom.js";

let count = 0;

/**
 * Shows a modal dialog. It is gone from the page once it is closed; focus goes back to where it was.
 *
 * @param mayClose asked before the reader leaves by Escape or the close button; answers true or false
 */
export function openDialog({ title, content, className = "", mayClose = async () => true }) {
  const titleId = `dialog-title-${++count}`;
  const keepPlace = placeKept();
  const leave = async () => {
    if (await mayClose()) dialog.close();
  };
  const dialog = el(
    "dialog",
    {
      class: `dialog ${className}`,
      "aria-labelledby": titleId,
      on: {
        cancel(event) {
          event.preventDefault();
          leave();
        },
        close() {
          dialog.remove();
          keepPlace();
        },
      },
    },
    el(
      "header",
      { class: "dialog-head" },
      el("h2", { class: "dialog-title", id: titleId, dir: "auto" }, title),
      iconButton("Close", "close", leave),
    ),
    content,
  );
  document.body.append(dialog);
  dialog.showModal();
  return { dialog, close: () => dialog.close(), leave };
}

/** Returns what brings the reader back to where they are now, where the focus has been lost meanwhile. */
function placeKept() {
  const region = document.activeElement?.closest("#main, #sync-panel");
  return () => isFocusLost() && region?.focus({ preventScroll: true });
}

/** Whether nothing has the focus: what had it is gone, or in a dialog that has just been closed. */
export function isFocusLost() {
  const held = document.activeElement;
  return held === document.body || held.closest("dialog:not([open])") !== null;
}

/** Asks a question. Resolves to true when the reader says yes. */
export function ask({ title, text, yes, no = "Cancel", danger = false }) {
  return new Promise((resolve) => {
    let answer = false;
    const say = (value) => () => {
      answer = value;
      frame.close();
    };
    const noButton = button(no, say(false));
    const yesButton = button(yes, say(true), { look: danger ? "button-danger" : "button-primary" });
    const frame = openDialog({
      title,
      className: "dialog-question",
      content: [
        el("p", { class: "dialog-text", dir: "auto" }, text),
        el("div", { class: "dialog-actions" }, noButton, yesButton),
      ],
    });
    frame.dialog.addEventListener("close", () => resolve(answer));
    noButton.focus();
  });
}
