// One matter of the details each: a change that waits or was refused, a conflict, a removal that is held back. What it
// is, what it holds, and the buttons that decide it.

import { button, unseen } from "./buttons.js";
import { comparison } from "./conflict-view.js";
import { conflictWords, settledAs } from "./conflict-words.js";
import { agoWords } from "./dates.js";
import { el } from "./dom.js";
import { own } from "./named.js";
import { removalWords } from "./removal-words.js";
import { withStop } from "./sync-words.js";
import { termList } from "./term-list.js";
import { counted, isolated, userFields, valueNode, valueWords } from "./values.js";

/** Of a removal that is held back, as many objects are named. */
const namedMax = 12;
const kindWords = { create: "New", update: "Edited", delete: "Deleted" };

export function createEntries(actions, names) {
  function nameOf({ className, objectId }) {
    return objectId ? names.of(className, objectId) : className;
  }

  function namesOf({ className, objectIds }) {
    const all = objectIds.map((objectId) => isolated(names.of(className, objectId))).sort((one, other) => one.localeCompare(other));
    const shown = all.slice(0, namedMax);
    const rest = all.length - shown.length;
    return `${shown.join(", ")}${rest > 0 ? ` and ${counted(rest, "other")}` : ""}.`;
  }

  function itemFrame(item, kind, content, buttons) {
    return el(
      "article",
      { class: "panel-item", tabindex: "-1", data: { object: `${item.className}/${item.objectId}`, focus: `item ${item.id}` } },
      el("p", { class: "panel-kind" }, [kind, item.className].filter(Boolean).join(" · ")),
      item.objectId && el("h4", { class: "panel-name", dir: "auto" }, nameOf(item)),
      content,
      buttons && el("div", { class: "panel-actions" }, buttons),
    );
  }

  function choice(label, item, run, look = "") {
    const words = [label, unseen(` (${nameOf(item)})`)];
    return button(words, run, { look: `button-small ${look}`, focus: `${label} ${item.id}` });
  }

  function pendingEntry(change) {
    const fields = change.kind === "delete" ? [] : (change.fields ?? []);
    return itemFrame(
      change,
      own(kindWords, change.kind) ?? change.kind,
      [
        fields.length > 0 && el("p", { class: "panel-fields" }, fields.join(", ")),
        change.error && el("p", { class: "panel-reason", dir: "auto" }, attemptWords(change)),
        change.reason && el("p", { class: "panel-reason", dir: "auto" }, change.reason),
      ],
      // What is on its way can no longer be taken back.
      change.phase === "pending" && [choice("Undo", change, () => actions.undo(change))],
    );
  }

  function rejectionEntry(rejection) {
    const code = rejection.code !== undefined && el("span", { class: "panel-code" }, ` Code ${rejection.code}`);
    return itemFrame(
      rejection,
      own(kindWords, rejection.kind) ?? rejection.kind,
      [el("p", { class: "panel-reason", dir: "auto" }, withStop(rejection.error), code), operationList(rejection.operations)],
      [
        choice("Send again", rejection, () => actions.retry(rejection)),
        rejection.kind !== "delete" && choice("Correct", rejection, () => actions.correct(rejection)),
        choice("Give up", rejection, () => actions.giveUp(rejection), "button-danger-quiet"),
      ],
    );
  }

  function conflictEntry(conflict) {
    const { title, text, choices, byField } = conflictWords(conflict);
    return itemFrame(
      conflict,
      title,
      [
        text && el("p", { class: "panel-text" }, text),
        conflict.kind === "wasThisApplied" && operationList(conflict.operations),
        comparison(conflict),
      ],
      [
        choices.map((option) => {
          const look = option.isDanger ? "button-danger-quiet" : "";
          return choice(option.label, conflict, () => actions.resolve(conflict, option), look);
        }),
        byField && choice("Field by field", conflict, () => actions.decideByField(conflict)),
      ],
    );
  }

  function settledEntry(conflict, theirs) {
    const words = `${settledAs(conflict)}, ${agoWords(conflict.resolvedAt)}.`;
    return itemFrame(
      conflict,
      conflictWords(conflict).title,
      [el("p", { class: "panel-text" }, words), conflict.kind === "fields" && comparison(conflict)],
      theirs && [choice("Use theirs", conflict, () => actions.useTheirs(conflict, theirs))],
    );
  }

  function removalEntry(removal) {
    const { lines, keep, confirm } = removalWords(removal);
    const objectIds = [...removal.objectIds, ...(removal.olderIds ?? [])];
    const text = (words) => el("p", { class: "panel-text" }, words);
    return itemFrame(removal, "", [lines.map(text), text(namesOf({ ...removal, objectIds }))], [
      choice(keep, removal, () => actions.keepRemoval(removal)),
      choice(confirm, removal, () => actions.confirmRemoval(removal), "button-danger-quiet"),
    ]);
  }

  return { nameOf, namesOf, pendingEntry, rejectionEntry, conflictEntry, settledEntry, removalEntry };
}

function attemptWords({ attempts, error }) {
  const tried = attempts > 0 ? `Tried ${counted(attempts, "time")}. ` : "";
  return tried + withStop(error);
}

/** The effect on each field of a change that was refused, or is in question. */
function operationList(operations) {
  const entries = Object.entries(userFields(operations ?? {}));
  return entries.length > 0 && termList(entries.map(([name, value]) => [name, operationWords(value) ?? valueNode(value)]));
}

/** An operation in words, with its amount or its values; null for a value that is set. */
function operationWords(value) {
  const { __op: operation, amount, objects = [] } = value ?? {};
  const values = objects.map(valueWords).join(", ");
  switch (operation) {
    case undefined: return null;
    case "Delete": return "taken away";
    case "Increment": return amount < 0 ? `lowered by ${-amount}` : `raised by ${amount}`;
    case "Add": return `${values} added`;
    case "AddUnique": return `${values} added, where not there yet`;
    case "Remove": return `${values} taken out`;
    case "AddRelation": return `${values} joined`;
    case "RemoveRelation": return `${values} left`;
    default: return operation;
  }
}
