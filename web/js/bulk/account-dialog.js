// The dialog that tells which objects an action for many objects has left out, and why. It offers to try these objects again.

import { button } from "../buttons.js";
import { openDialog } from "../dialog.js";
import { el } from "../dom.js";
import { withFullStop } from "../sync-text.js";
import { counted, numberText, t } from "../texts.js";

/** The maximum number of objects that the dialog names. */
const namedMax = 200;

/**
 * Opens the dialog. Resolves to the failures that the user wants to try again; null for none.
 *
 * @param headline what was done, such as "done is set on 195 of 200 objects."
 * @param failures [{name, reason, isChanged}]: `isChanged` for an object that another client has changed meanwhile
 * @param overwrite the label of the button that overwrites changed objects, such as "Set anyway"
 */
export function openAccount({ title, headline, failures, overwrite }) {
  return new Promise((resolve) => {
    let chosen = null;
    const choose = (items) => () => {
      chosen = items;
      frame.close();
    };
    const changed = failures.filter(({ isChanged }) => isChanged);
    const others = failures.filter(({ isChanged }) => !isChanged);
    const closeButton = button(t("Done"), choose(null), { className: "button-primary" });
    const frame = openDialog({
      title,
      content: el(
        "div",
        { class: "object-form" },
        el(
          "div",
          { class: "form-rows" },
          el("p", { role: "status" }, headline),
          el("ul", { class: "bulk-failures", "aria-label": t("Not done") }, failures.slice(0, namedMax).map(failureLine)),
          failures.length > namedMax && el("p", { class: "hint" }, t("and {others}", { others: counted(failures.length - namedMax, "other") })),
        ),
        el(
          "div",
          { class: "dialog-actions" },
          others.length > 0 && button(t("Try {objects} again", { objects: counted(others.length, "object") }), choose(others)),
          changed.length > 0 && button(`${overwrite} (${numberText(changed.length)})`, choose(changed), { className: "button-danger-quiet" }),
          closeButton,
        ),
      ),
    });
    frame.dialog.addEventListener("close", () => resolve(chosen));
    closeButton.focus();
  });
}

function failureLine({ name, reason }) {
  return el("li", {}, el("span", { class: "bulk-name", dir: "auto" }, name), el("span", { class: "bulk-reason", dir: "auto" }, withFullStop(reason)));
}
