// An editor of a pointer: objects of the class that it points to are offered by name; an id will do as well.

import { el } from "../dom.js";

/** As many objects are offered. */
const offeredMax = 500;

/** @param offers resolves to the objects of a class, as [{objectId, words}] */
export function createPointerEditor(targetClass, value, attributes, offers) {
  const isEditable = value === undefined || (value?.__type === "Pointer" && value.className === targetClass);
  const list = el("datalist", { id: `${attributes.id}-offers` });
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

  async function showOffers() {
    for (const { objectId, words } of await offers(targetClass, offeredMax)) {
      // Names may be there twice; ids are not.
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
    if (!/^[\w-]+$/.test(objectId)) return new Error(`Choose one of ${targetClass}, or give an id.`);
    return { __type: "Pointer", className: targetClass, objectId };
  }

  // What cannot be offered can still be typed.
  if (isEditable) showOffers().catch(() => {});
  return {
    node: el("div", {}, control, list),
    control,
    hint: isEditable ? `An object of ${targetClass}: type to find it, or give its id.` : "This points elsewhere. It can be edited as JSON.",
    isEditable,
    isChanged,
    isIncomplete: () => false,
    typed: () => control.value,
    retype: (text) => void (control.value = text),
    read,
    save: async () => read(),
  };
}
