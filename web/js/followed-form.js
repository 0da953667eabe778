// Forms of an object that may change while they are open. Each keeps the state that its reader has seen, saves only onto
// that, and where others were faster says which fields they have changed.

import { sideChoice } from "./editors/side-choice.js";
import { el, fill } from "./dom.js";
import { named, own } from "./named.js";
import { fieldChanges, isEqual, userFields } from "./values.js";

/** How often a save is tried again because the object has changed in between. */
const triesMax = 5;

/** The names of fields that differ between two states of an object. */
export function changedNames(before, after) {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isEqual(own(before, name), own(after, name)));
}

/** Whether the value of a field is here, as far as the object tells: some classes are kept with some fields only. */
export function isFetched(object, name) {
  const fetched = object?._sync?.fetched;
  return !fetched || fetched.includes(name) || own(object, name) !== undefined;
}

/** The line of a form that names the fields which others have changed while it is open. */
export function newsLine() {
  const node = el("p", { class: "form-news", role: "status", dir: "auto", hidden: true });
  return {
    node,
    tell(labels) {
      node.textContent = `Changed meanwhile: ${labels.join(", ")}.`;
      node.hidden = labels.length === 0;
    },
  };
}

/**
 * Saves the values of a form, onto the state that it shows.
 *
 * @param changes resolves to the changes of that state
 * @param tag that of the state
 * @param follow takes a newer state; returns whether the reader has something to choose
 * @param save gets the changes and the tag
 */
export async function saveOnto({ changes, tag, follow, save }) {
  for (let tries = 1; ; tries += 1) {
    const body = await changes();
    if (Object.keys(body).length === 0) return;
    try {
      return await save(body, tag());
    } catch (error) {
      if (!error.present || tries === triesMax) throw error;
      if (follow(error.present)) throw new Error("It was changed meanwhile. Choose a value for each marked field.", { cause: error });
    }
  }
}

/**
 * The fields of an object as one row of JSON, followed: fields that only others have changed are left alone, and fields that
 * both have changed are asked about.
 *
 * @param makeRow makes the row for some fields
 */
export function followedJson(object, makeRow) {
  let seen = object;
  /** The fields that the reader began with. */
  let first = userFields(object);
  let row = makeRow(first);
  const questions = new Map();
  const news = newsLine();
  const asked = el("div", { class: "form-asked" });
  const holder = el("div", {}, row.node);

  /** Asks about the fields that both sides have set to different values. Returns whether there is something to choose. */
  function ask() {
    const fields = row.read();
    const isReadable = fields !== undefined && !(fields instanceof Error);
    const mine = isReadable ? fieldChanges(first, fields) : {};
    const present = userFields(seen);
    for (const name of changedNames(first, present)) {
      const theirs = own(present, name);
      const change = own(mine, name);
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
      row.retype(JSON.stringify(fields, null, 2));
      questions.delete(name);
      // The taken value is one that the reader begins with now.
      first = named(first, { [name]: theirs });
      ask();
      row.control.focus();
    };
    questions.set(name, { theirs, choice: sideChoice(name, theirs, take) });
  }

  /** The name of an entered field whose value on the remote is not known here; undefined for none. */
  function covered() {
    return Object.keys(row.read()).find((name) => own(first, name) === undefined && !isFetched(seen, name));
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

  const followed = {
    name: row.name,
    get control() {
      return open()?.choice.control ?? row.control;
    },
    isChanged: () => row.isChanged(),
    typed: () => row.typed(),
    retype: (typed) => row.retype(typed),
    close: () => row.close(),
    check() {
      if (!row.check()) return false;
      const name = covered();
      if (name) return row.refuse(`${name} is not fetched here: its value on the remote would be overwritten.`);
      ask();
      return [...questions.values()].map(({ choice }) => choice.check()).every(Boolean);
    },
  };
  return {
    body: [news.node, holder, asked],
    rows: [followed],
    tag: () => seen._sync?.tag,
    fields: () => row.value(),
    changes: async () => fieldChanges(first, await row.value()),
    follow(present) {
      news.tell(changedNames(userFields(seen), userFields(present)));
      seen = present;
      if (row.isChanged()) return ask();
      show(userFields(present));
      return false;
    },
  };
}
