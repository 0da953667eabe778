// The entries of the details panel: pending changes, rejected changes, conflicts and held removals. An entry shows
// the change or the objects, and a button for each possible decision.

import { entryKey } from "./authors.js";
import { button, visuallyHidden } from "./buttons.js";
import { comparison } from "./conflict-view.js";
import { conflictText, resolutionText } from "./conflict-text.js";
import { agoText } from "./dates.js";
import { el } from "./dom.js";
import { ownValue } from "./records.js";
import { removalText } from "./removal-text.js";
import { wayOut } from "./stall-text.js";
import { withFullStop } from "./sync-text.js";
import { descriptionList } from "./description-list.js";
import { counted, t } from "./texts.js";
import { isolated, userFields, valueNode, valueText } from "./values.js";

/** The maximum number of objects that the entry of a held removal names. */
const namedMax = 12;
const kindLabels = { create: t("New"), update: t("Edited"), delete: t("Deleted") };

export function createEntries(actions, names) {
  function nameOf({ className, objectId }) {
    return objectId ? names.of(className, objectId) : className;
  }

  function namesOf({ className, objectIds }) {
    const all = objectIds.map((objectId) => isolated(names.of(className, objectId))).sort((one, other) => one.localeCompare(other));
    const shown = all.slice(0, namedMax);
    const rest = all.length - shown.length;
    return `${shown.join(", ")}${rest > 0 ? t(" and {others}", { others: counted(rest, "other") }) : ""}.`;
  }

  function itemFrame(item, kind, content, buttons) {
    return el(
      "article",
      { class: "panel-item", tabindex: "-1", data: { object: placeOf(item), focus: `item ${entryKey(item)}` } },
      el("p", { class: "panel-kind" }, [kind, item.className].filter(Boolean).join(" · ")),
      item.objectId && el("h4", { class: "panel-name", dir: "auto" }, nameOf(item)),
      item.author && el("p", { class: "panel-author" }, t("User: {author}", { author: isolated(item.author) })),
      content,
      buttons && el("div", { class: "panel-actions" }, buttons),
    );
  }

  function choice(label, item, run, className = "") {
    const subject = [nameOf(item), item.author].filter(Boolean).map(isolated).join(", ");
    const words = [label, visuallyHidden(` (${subject})`)];
    return button(words, run, { className: `button-small ${className}`, focus: `${label} ${entryKey(item)}` });
  }

  function pendingEntry(change) {
    const fields = change.kind === "delete" ? [] : (change.fields ?? []);
    return itemFrame(
      change,
      ownValue(kindLabels, change.kind) ?? change.kind,
      [
        fields.length > 0 && el("p", { class: "panel-fields" }, fields.join(", ")),
        change.error && el("p", { class: "panel-reason", dir: "auto" }, attemptText(change)),
        change.reason && el("p", { class: "panel-reason", dir: "auto" }, change.reason),
      ],
      // A change cannot be undone once it is being sent.
      change.phase === "pending" && [choice(t("Undo"), change, () => actions.undo(change))],
    );
  }

  function rejectionEntry(rejection) {
    const code = rejection.code !== undefined && el("span", { class: "panel-code" }, t(" Code {code}", { code: rejection.code }));
    return itemFrame(
      rejection,
      ownValue(kindLabels, rejection.kind) ?? rejection.kind,
      [el("p", { class: "panel-reason", dir: "auto" }, withFullStop(rejection.error), code), operationList(rejection.operations)],
      [
        choice(t("Send again"), rejection, () => actions.retry(rejection)),
        rejection.kind !== "delete" && choice(t("Correct"), rejection, () => actions.correct(rejection)),
        choice(t("Discard"), rejection, () => actions.giveUp(rejection), "button-danger-quiet"),
      ],
    );
  }

  function conflictEntry(conflict) {
    const { title, text, choices, byField } = conflictText(conflict);
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
          const className = option.isDanger ? "button-danger-quiet" : "";
          return choice(option.label, conflict, () => actions.resolve(conflict, option), className);
        }),
        byField && choice(t("Choose by field"), conflict, () => actions.decideByField(conflict)),
      ],
    );
  }

  function resolvedEntry(conflict, theirs) {
    const words = `${resolutionText(conflict)}, ${agoText(conflict.resolvedAt)}.`;
    return itemFrame(
      conflict,
      conflictText(conflict).title,
      [el("p", { class: "panel-text" }, words), conflict.kind === "fields" && comparison(conflict)],
      theirs && [choice(t("Use theirs"), conflict, () => actions.useTheirs(conflict, theirs))],
    );
  }

  /** @param mayDecide whether the page may send a decision */
  function removalEntry(removal, mayDecide = true) {
    const { lines, keep, confirm } = removalText(removal);
    const objectIds = [...removal.objectIds, ...(removal.olderIds ?? [])];
    const text = (words) => el("p", { class: "panel-text" }, words);
    const content = [lines.map(text), text(namesOf({ ...removal, objectIds }))];
    if (!mayDecide) return itemFrame(removal, "", [content, text(t("Only the holder of the gateway's master key decides this."))]);
    return itemFrame(removal, "", content, [
      choice(keep, removal, () => actions.keepRemoval(removal)),
      choice(confirm, removal, () => actions.confirmRemoval(removal), "button-danger-quiet"),
    ]);
  }

  /** An entry of stalled work: a change, the pull of a class, or all syncs. */
  function stallEntry(item) {
    const kind = { change: t("Not sent"), pull: t("Not fetched"), sync: t("Syncs fail") };
    return itemFrame(item, ownValue(kind, item.kind) ?? item.kind, [
      el("p", { class: "panel-reason", dir: "auto" }, item.text),
      el("p", { class: "panel-text" }, wayOut(item)),
    ]);
  }

  return { nameOf, namesOf, stallEntry, pendingEntry, rejectionEntry, conflictEntry, resolvedEntry, removalEntry };
}

/** The place of an entry's object as text: the user in whose data the object is, the class, and the id. */
function placeOf({ space, className, objectId }) {
  return [space, className, objectId].filter(Boolean).join("/");
}

function attemptText({ attempts, error }) {
  const tried = attempts > 0 ? t("Tried {times}. ", { times: counted(attempts, "time") }) : "";
  return tried + withFullStop(error);
}

/** The fields of a change, each with its new value or its operation. */
function operationList(operations) {
  const entries = Object.entries(userFields(operations ?? {}));
  return entries.length > 0 && descriptionList(entries.map(([name, value]) => [name, operationText(value) ?? valueNode(value)]));
}

/** A field operation as text, such as "increased by 2". Null for a plain value. */
function operationText(value) {
  const { __op: operation, amount, objects = [] } = value ?? {};
  const values = objects.map(valueText).join(", ");
  switch (operation) {
    case undefined: return null;
    case "Delete": return t("removed");
    case "Increment": return amount < 0 ? t("decreased by {amount}", { amount: -amount }) : t("increased by {amount}", { amount });
    case "Add": return t("{values} added", { values });
    case "AddUnique": return t("{values} added if missing", { values });
    case "Remove": return t("{values} removed", { values });
    case "AddRelation": return t("{values} added to the relation", { values });
    case "RemoveRelation": return t("{values} removed from the relation", { values });
    default: return operation;
  }
}
