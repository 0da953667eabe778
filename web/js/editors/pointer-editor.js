// The editor of a pointer field. It suggests objects of the target class by name. The user can also type an id.

import { el } from "../dom.js";

/** The maximum number of suggested objects. */
const suggestionsMax = 500;

/** @param suggest `(className, limit)`: resolves to the objects to suggest, as [{objectId, words}]; `words` is the name */
export function createPointerEditor(targetClass, value, attributes, suggest) {
  const isEditable = value === undefined || (value?.__type === "Pointer" && value.className === targetClass);
  const list = el("datalist", { id: `${attributes.id}-suggest` });
  const idOf = new Map();
  const wordsOf = new Map();
  const control = el("input", {
    class: "input",
    type: "text",
    list: list.id,
    autocomplete: "off",
    dir: "auto",
    spellcheck: "false",
    disabled: !isEditable,
    ...attributes,
  });
  control.value = isEditable ? (value?.objectId ?? "") : JSON.stringify(value);
  let untouched = control.value;
  const isChanged = () => control.value !== untouched;

  async function showSuggestions() {
    for (const { objectId, words } of await suggest(targetClass, suggestionsMax)) {
      // Names are not unique, so a suggestion includes the object's id.
      const text = words === objectId ? objectId : `${words} · ${objectId}`;
      idOf.set(text, objectId);
      wordsOf.set(objectId, text);
      list.append(el("option", { value: text }));
    }
    if (isChanged() || !isEditable || value === undefined) return;
    control.value = wordsOf.get(value.objectId) ?? control.value;
    untouched = control.value;
  }

  function read() {
    const text = control.value.trim();
    if (text === "") return undefined;
    const objectId = idOf.get(text) ?? text;
    if (!/^[\w-]+$/.test(objectId)) return new Error(`Choose an object of ${targetClass}, or enter an id.`);
    return { __type: "Pointer", className: targetClass, objectId };
  }

  // Ignores a failure, because the user can type an id without suggestions.
  if (isEditable) showSuggestions().catch(() => {});
  return {
    node: el("div", {}, control, list),
    control,
    hint: isEditable ? `An object of ${targetClass}. Type to search, or enter its id.` : "This points to another class. Edit it as JSON.",
    isEditable,
    isChanged,
    isIncomplete: () => false,
    typed: () => control.value,
    restoreText: (text) => void (control.value = text),
    read,
    save: async () => read(),
  };
}
