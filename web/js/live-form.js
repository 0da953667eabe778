// Forms of an object that other clients may change while the form is open. A form lists the fields that other clients have
// changed. A save never overwrites a version of the object that the form has not shown.

import { sideChoice } from "./editors/side-choice.js";
import { el, fill } from "./dom.js";
import { record, ownValue } from "./records.js";
import { t } from "./texts.js";
import { fieldChanges, isEqual, userFields } from "./values.js";

/** The maximum number of attempts to save an object that keeps changing. */
const triesMax = 5;

/** The names of the fields that differ between two versions of an object. */
export function changedNames(before, after) {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isEqual(ownValue(before, name), ownValue(after, name)));
}

/** Whether a field of an object is fetched from the remote. Some classes are synced with only a part of their fields. */
export function isFetched(object, name) {
  const fetched = object?._sync?.fetched;
  return !fetched || fetched.includes(name) || ownValue(object, name) !== undefined;
}

/** The line in a form that lists the fields that other clients have changed. */
export function changesLine() {
  const node = el("p", { class: "form-changes", role: "status", dir: "auto", hidden: true });
  return {
    node,
    tell(labels) {
      node.textContent = t("Changed while you were editing: {names}.", { names: labels.join(", ") });
      node.hidden = labels.length === 0;
    },
  };
}

/**
 * Saves the changes in a form. If another client has changed the object meanwhile, shows the newer version. Then saves again, or
 * throws an error if the user has to choose values first.
 *
 * @param changes resolves to the changed fields
 * @param tag returns the tag of the version that the form shows
 * @param showNewer shows a newer version; returns whether the user has to choose values before saving
 * @param save `(changes, tag)`: saves the changes
 */
export async function saveIfUnchanged({ changes, tag, showNewer, save }) {
  for (let tries = 1; ; tries += 1) {
    const body = await changes();
    if (Object.keys(body).length === 0) return;
    try {
      return await save(body, tag());
    } catch (error) {
      if (!error.present || tries === triesMax) throw error;
      if (showNewer(error.present)) throw new Error(t("The object changed while you were editing. Choose a value for each marked field."), { cause: error });
    }
  }
}

/**
 * The content of a form that edits an object as JSON while other clients may change the object. Saving does not overwrite fields
 * that only other clients have changed. For a field that the user has changed too, the form asks which value to keep.
 *
 * @param makeRow builds the row for an object's fields
 */
export function liveJson(object, makeRow) {
  let seen = object;
  /** The object's fields before the user's edits. */
  let first = userFields(object);
  let row = makeRow(first);
  const questions = new Map();
  const line = changesLine();
  const asked = el("div", { class: "form-questions" });
  const holder = el("div", {}, row.node);

  /** Asks about each field that the user and another client have changed differently. Returns whether an answer is missing. */
  function ask() {
    const fields = row.read();
    const isReadable = fields !== undefined && !(fields instanceof Error);
    const mine = isReadable ? fieldChanges(first, fields) : {};
    const present = userFields(seen);
    for (const name of changedNames(first, present)) {
      const theirs = ownValue(present, name);
      const change = ownValue(mine, name);
      const value = change?.__op === "Delete" ? undefined : change;
      if (change === undefined || isEqual(value, theirs)) questions.delete(name);
      else if (!questions.has(name) || !isEqual(questions.get(name).theirs, theirs)) question(name, theirs);
    }
    fill(asked, [...questions.values()].map(({ choice }) => choice.node));
    return open() !== undefined;
  }

  const open = () => [...questions.values()].find(({ choice }) => !choice.isDecided());

  function question(name, theirs) {
    const take = () => {
      if (!row.check()) return;
      const fields = { ...row.read(), [name]: theirs };
      row.restoreText(JSON.stringify(fields, null, 2));
      questions.delete(name);
      // If the user keeps the other client's value, the user has not edited the field. The value then counts as the field's
      // value before the edit.
      first = record(first, { [name]: theirs });
      ask();
      row.control.focus();
    };
    questions.set(name, { theirs, choice: sideChoice(name, theirs, take) });
  }

  /** The name of the first field that is not fetched from the remote, but was added by the user; undefined if there is none. */
  function unfetchedName() {
    return Object.keys(row.read()).find((name) => ownValue(first, name) === undefined && !isFetched(seen, name));
  }

  function show(fields) {
    const isFocused = holder.contains(document.activeElement);
    first = fields;
    questions.clear();
    fill(asked);
    row.close();
    row = makeRow(first);
    fill(holder, row.node);
    if (isFocused) row.control.focus();
  }

  const live = {
    name: row.name,
    node: holder,
    get control() {
      return open()?.choice.control ?? row.control;
    },
    errorAt: () => row.errorAt(),
    isChanged: () => row.isChanged(),
    typed: () => row.typed(),
    restoreText: (typed) => row.restoreText(typed),
    close: () => row.close(),
    check() {
      if (!row.check()) return false;
      const name = unfetchedName();
      if (name) return row.showError(t("{name} is not fetched. Saving would overwrite its value on the remote.", { name }));
      ask();
      return [...questions.values()].map(({ choice }) => choice.check()).every(Boolean);
    },
  };
  return {
    body: [line.node, holder, asked],
    rows: [live],
    tag: () => seen._sync?.tag,
    fields: () => row.value(),
    changes: async () => fieldChanges(first, await row.value()),
    showNewer(present) {
      line.tell(changedNames(userFields(seen), userFields(present)));
      seen = present;
      if (row.isChanged()) return ask();
      show(userFields(present));
      return false;
    },
  };
}
