// The editor of a pointer field. It searches objects of the target class by caption. The user can also type the id of an object. An
// id without an object here needs a confirmation: the object may be on the remote only, or the id may be a typing error.

import { el, fill } from "../dom.js";
import { createObjectSearch } from "./object-search.js";
import { t } from "../texts.js";

/**
 * @param services {suggest, lookUp}. `suggest(className, text, limit)` resolves to the objects to suggest, as [{objectId, words}];
 *   `words` is the caption. `lookUp(className, objectId)` resolves to one object in this form, or to null.
 */
export function createPointerEditor(targetClass, value, attributes, services) {
  const isEditable = value === undefined || (value?.__type === "Pointer" && value.className === targetClass);
  const list = el("datalist", { id: `${attributes.id}-suggest` });
  const search = createObjectSearch(targetClass, services, (texts) => fill(list, texts.map((text) => el("option", { value: text }))));
  const control = el("input", {
    class: "input",
    type: "text",
    list: list.id,
    autocomplete: "off",
    dir: "auto",
    spellcheck: "false",
    disabled: !isEditable,
    on: { input: () => typed() },
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

  function typed() {
    offer(null);
    search.searchSoon(control.value);
  }

  async function showCaption() {
    const text = await search.textOf(value.objectId);
    if (isChanged() || text === null) return;
    control.value = text;
    untouched = text;
  }

  /** Asks the user to confirm an id; for null, takes the question back. */
  function offer(objectId) {
    asked = objectId;
    confirmation.checked = false;
    confirmationRow.hidden = objectId === null;
    confirmationLabel.textContent = objectId === null ? "" : t("Use the id {objectId} anyway", { objectId });
  }

  function read() {
    const objectId = search.idOf(control.value);
    return typeof objectId === "string" ? { __type: "Pointer", className: targetClass, objectId } : objectId;
  }

  /** Resolves to the pointer. Throws an error for an id without an object here that the user has not confirmed. */
  async function save() {
    if (isChanged()) await search.finish(control.value);
    const pointer = read();
    if (pointer instanceof Error) throw pointer;
    if (pointer === undefined || !isChanged()) return pointer;
    const { objectId } = pointer;
    const isConfirmed = asked === objectId && confirmation.checked;
    // Without an answer of the gateway, the id counts as unknown.
    if (isConfirmed || (await search.textOf(objectId).catch(() => null)) !== null) return pointer;
    if (asked !== objectId) offer(objectId);
    throw new Error(t("There is no object of {targetClass} with the id {objectId} here. Choose another one, or confirm the id.", { targetClass, objectId }));
  }

  if (isEditable) {
    // Ignores a failure, because the user can type an id without suggestions.
    search.searchNow("").catch(() => {});
    if (value !== undefined) showCaption().catch(() => {});
  }
  return {
    node: el("div", {}, control, list, confirmationRow),
    control,
    hint: isEditable ? t("An object of {targetClass}. Type a part of its caption, or its id.", { targetClass }) : t("This points to another class. Edit it as JSON."),
    isEditable,
    isChanged,
    isIncomplete: () => false,
    typed: () => control.value,
    restoreText: (text) => void (control.value = text),
    read,
    save,
    close: search.stop,
  };
}
