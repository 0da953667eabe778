// The dialog that makes one decision about many conflicts, rejected changes or held removals: all, or those of a class or a reason.

import { choicesFor, entryTexts, groupsOf, reasonOf } from "./choices.js";
import { button } from "../buttons.js";
import { openDialog } from "../dialog.js";
import { el, fill } from "../dom.js";
import { numberText, plural, t } from "../texts.js";
import { excerpt } from "../values.js";

/** The maximum number of characters of a reason in the list of reasons. */
const reasonMax = 80;

/**
 * @param list "conflicts", "rejections" or "removals"
 * @param entries the open entries of the list
 * @param preferred the id of the decision that is chosen at first
 * @param decide `(choice)`: makes the decision, after the dialog has closed
 */
export function openDecide({ list, entries, preferred, decide }) {
  const words = entryTexts[list];
  let chosenId = preferred;
  let choice = null;
  const select = (id, label, textOf, all) => {
    const control = el("select", { class: "input", id, on: { change: draw } });
    const groups = groupsOf(entries, textOf);
    fill(control, el("option", { value: "" }, `${all} (${numberText(entries.length)})`), groups.map(([text, count], at) => el("option", { value: String(at) }, `${excerpt(text, reasonMax)} (${numberText(count)})`)));
    const isIn = (entry) => control.value === "" || textOf(entry) === groups[Number(control.value)][0];
    return { isIn, control, node: el("div", { class: "field", dir: "auto" }, el("label", { class: "label", for: id }, label), control) };
  };
  const ofClass = select("decide-class", t("Class"), ({ className }) => className, t("All classes"));
  const ofReason = select("decide-reason", t("Reason"), (entry) => reasonOf(list, entry), t("All reasons"));
  const options = el("div");
  const line = el("p", { class: "bulk-preview", role: "status" });
  const yesButton = button("", () => {
    decided = choice;
    frame.close();
  }, { className: "button-danger" });
  let decided = null;
  const frame = openDialog({
    title: t("Decide {entries}", { entries: words.counted(entries.length) }),
    content: el(
      "div",
      { class: "object-form" },
      el("div", { class: "form-rows" }, ofClass.node, ofReason.node, el("fieldset", { class: "choice-list" }, el("legend", { class: "label" }, t("Decision")), options), line),
      el("div", { class: "dialog-actions" }, button(t("Cancel"), () => frame.close()), yesButton),
    ),
  });
  frame.dialog.addEventListener("close", () => decided && decide(decided));
  draw();
  ofClass.control.focus();

  function draw() {
    const some = entries.filter((entry) => ofClass.isIn(entry) && ofReason.isIn(entry));
    const choices = choicesFor(list, some);
    choice = choices.find(({ id }) => id === chosenId) ?? choices[0] ?? null;
    const held = document.activeElement?.value;
    const isHeld = options.contains(document.activeElement);
    fill(options, choices.map(optionOf));
    if (isHeld) options.querySelector(`[value="${held}"]`)?.focus();
    yesButton.hidden = choice === null;
    if (choice === null) return (line.textContent = words.none);
    const others = some.length - choice.entries.length;
    const rest = others > 0 && plural(
      "{count} other asks what the remote has received. Choose it by the reason.",
      "{count} others ask what the remote has received. Choose them by the reason.",
      { count: others },
    );
    line.textContent = [t("Decides {entries}.", { entries: words.counted(choice.entries.length) }), ...choice.effects, rest].filter(Boolean).join(" ");
    yesButton.textContent = choice.yes(numberText(choice.entries.length));
  }

  function optionOf({ id, label }) {
    const input = el("input", { type: "radio", name: "decision", value: id, on: { change: () => ((chosenId = id), draw()) } });
    input.checked = id === choice.id;
    return el("label", { class: "check-row" }, input, el("span", {}, label));
  }
}
