// The editor of a pointer field. It searches objects of the target class by caption. The user can also type the id of an object. An
// id without an object here needs a confirmation: the object may be on the remote only, or the id may be a typing error.

import { el, fill, fillWhenChanged } from "../dom.js";
import { createObjectSearch } from "./object-search.js";
import { isPointer, openLink } from "../pointer-link.js";
import { t } from "../texts.js";

/**
 * @param hasLink whether a link to the object is beside the input
 * @param services {suggest, lookUp}. `suggest(className, text, limit)` resolves to the objects to suggest, as [{objectId, words}];
 *   `words` is the caption. `lookUp(className, objectId)` resolves to one object in this form, or to null.
 */
export function createPointerEditor({ targetClass, hasLink = false }, value, attributes, services) {
  const isEditable = value === undefined || (value?.__type === "Pointer" && value.className === targetClass);
  const list = el("datalist", { id: `${attributes.id}-suggest` });
  const search = createObjectSearch(targetClass, services, (texts) => {
    fill(list, texts.map((text) => el("option", { value: text })));
    drawLink();
  });
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
  const linkPlace = el("span", { class: "pointer-open" });
  /** The id that the user is asked to confirm; null without a question. */
  let asked = null;
  const isChanged = () => control.value !== untouched;

  function typed() {
    offer(null);
    search.searchSoon(control.value);
    drawLink();
  }

  /** Shows the link to the object of the unchanged pointer, or to an object that the user has chosen. */
  function drawLink() {
    const shown = isEditable && isChanged() ? read() : value;
    const isLinked = hasLink && isPointer(shown) && (shown === value || search.isKnown(shown.objectId));
    fillWhenChanged(linkPlace, isLinked ? shown.objectId : "", () => isLinked && openLink(shown));
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
  drawLink();
  return {
    node: el("div", {}, el("div", { class: "pointer-row" }, control, linkPlace), list, confirmationRow),
    control,
    hint: isEditable ? t("An object of {targetClass}. Type a part of its caption, or its id.", { targetClass }) : t("This points to another class. Edit it as JSON."),
    isEditable,
    isChanged,
    isIncomplete: () => false,
    typed: () => control.value,
    restoreText(text) {
      control.value = text;
      drawLink();
    },
    read,
    save,
    close: search.stop,
  };
}
