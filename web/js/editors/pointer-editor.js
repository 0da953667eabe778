// The editor of a pointer field. It suggests objects of the target class by name. The user can also type the id of an object. An id
// without an object here needs a confirmation: the object may be on the remote only, or the id may be a typing error.

import { el } from "../dom.js";

/** The maximum number of suggested objects. */
const suggestionsMax = 500;

/**
 * @param services {suggest, isThere}. `suggest(className, limit)` resolves to the objects to suggest, as [{objectId, words}]; `words`
 *   is the name. `isThere(className, objectId)` resolves to whether the gateway has the object.
 */
export function createPointerEditor(targetClass, value, attributes, { suggest, isThere }) {
  const isEditable = value === undefined || (value?.__type === "Pointer" && value.className === targetClass);
  const list = el("datalist", { id: `${attributes.id}-suggest` });
  const idOf = new Map();
  const wordsOf = new Map();
  const idsNamed = new Map();
  const control = el("input", {
    class: "input",
    type: "text",
    list: list.id,
    autocomplete: "off",
    dir: "auto",
    spellcheck: "false",
    disabled: !isEditable,
    on: { input: () => offer(null) },
    ...attributes,
  });
  const confirmation = el("input", { type: "checkbox", id: `${attributes.id}-confirm` });
  const confirmationLabel = el("label", { for: confirmation.id, dir: "auto" });
  const confirmationRow = el("p", { class: "check-row", hidden: true }, confirmation, confirmationLabel);
  control.value = isEditable ? (value?.objectId ?? "") : JSON.stringify(value);
  let untouched = control.value;
  /** The id that the user is asked to confirm; null without a question. */
  let asked = null;
  const isChanged = () => control.value !== untouched;

  async function showSuggestions() {
    for (const { objectId, words } of await suggest(targetClass, suggestionsMax)) {
      // Names are not unique, so a suggestion includes the object's id.
      const text = words === objectId ? objectId : `${words} · ${objectId}`;
      idOf.set(text, objectId);
      wordsOf.set(objectId, text);
      idsNamed.set(words, [...(idsNamed.get(words) ?? []), objectId]);
      list.append(el("option", { value: text }));
    }
    if (isChanged() || !isEditable || value === undefined) return;
    control.value = wordsOf.get(value.objectId) ?? control.value;
    untouched = control.value;
  }

  /** Asks the user to confirm an id; for null, takes the question back. */
  function offer(objectId) {
    asked = objectId;
    confirmation.checked = false;
    confirmationRow.hidden = objectId === null;
    confirmationLabel.textContent = objectId === null ? "" : `Use the id ${objectId} anyway`;
  }

  function read() {
    const text = control.value.trim();
    if (text === "") return undefined;
    const named = idsNamed.get(text) ?? [];
    if (named.length > 1) return new Error(`${named.length} objects of ${targetClass} have this name. Choose one from the list.`);
    const objectId = idOf.get(text) ?? named[0] ?? text;
    if (!/^[\w-]+$/.test(objectId)) return new Error(`Choose an object of ${targetClass}, or enter an id.`);
    return { __type: "Pointer", className: targetClass, objectId };
  }

  /** Resolves to the pointer. Throws an error for an id without an object here that the user has not confirmed. */
  async function save() {
    const pointer = read();
    if (pointer instanceof Error) throw pointer;
    if (pointer === undefined || !isChanged()) return pointer;
    const { objectId } = pointer;
    const isConfirmed = asked === objectId && confirmation.checked;
    // Without an answer of the gateway, the id counts as unknown.
    if (isConfirmed || wordsOf.has(objectId) || (await isThere(targetClass, objectId).catch(() => false))) return pointer;
    if (asked !== objectId) offer(objectId);
    throw new Error(`There is no object of ${targetClass} with the id ${objectId} here. Choose another one, or confirm the id.`);
  }

  // Ignores a failure, because the user can type an id without suggestions.
  if (isEditable) showSuggestions().catch(() => {});
  return {
    node: el("div", {}, control, list, confirmationRow),
    control,
    hint: isEditable ? `An object of ${targetClass}. Type to search, or enter its id.` : "This points to another class. Edit it as JSON.",
    isEditable,
    isChanged,
    isIncomplete: () => false,
    typed: () => control.value,
    restoreText: (text) => void (control.value = text),
    read,
    save,
  };
}
