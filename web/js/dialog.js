// Modal dialogs: a frame for forms, and questions with the answers yes and no.

import { button, iconButton } from "./buttons.js";
import { el } from "./dom.js";
import { t } from "./texts.js";

let count = 0;

/**
 * Shows a modal dialog. Closing the dialog removes it from the page and moves the focus back.
 *
 * @param mayClose resolves to whether Escape and the close button may close the dialog
 */
export function openDialog({ title, content, className = "", mayClose = async () => true }) {
  const titleId = `dialog-title-${++count}`;
  const keepPlace = focusRestorer();
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
      // Without a field that takes the focus, the title has it, and not the button that closes the dialog.
      el("h2", { class: "dialog-title", id: titleId, dir: "auto", tabindex: "-1", autofocus: true }, title),
      iconButton(t("Close"), "close", leave),
    ),
    content,
  );
  document.body.append(dialog);
  dialog.showModal();
  return { dialog, close: () => dialog.close(), leave, takesFocus: true, onClose: (listener) => dialog.addEventListener("close", listener) };
}

/**
 * Remembers the region that has the focus: the main view or the details panel. Returns a function that moves a lost focus back
 * to this region.
 */
function focusRestorer() {
  const region = document.activeElement?.closest("#main, #sync-panel");
  return () => isFocusLost() && region?.focus({ preventScroll: true });
}

/** Whether the focus is lost: on no element, or on an element of a closed dialog. */
export function isFocusLost() {
  const held = document.activeElement;
  return held === document.body || held.closest("dialog:not([open])") !== null;
}

/** Asks a question with the answers yes and no. Resolves to true for yes, and to false for no or a closed dialog. */
export function ask({ title, text, yes, no = t("Cancel"), danger = false }) {
  return new Promise((resolve) => {
    let answer = false;
    const say = (value) => () => {
      answer = value;
      frame.close();
    };
    const noButton = button(no, say(false));
    const yesButton = button(yes, say(true), { className: danger ? "button-danger" : "button-primary" });
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
