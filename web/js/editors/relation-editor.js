// The editor of a relation: the members, one page at a time, by caption. Added and removed members are saved with the form.

import { button, visuallyHidden } from "../buttons.js";
import { el, fill } from "../dom.js";
import { createObjectSearch } from "./object-search.js";
import { pointerLink } from "../pointer-link.js";
import { relationChange } from "../relation-change.js";
import { counted, t } from "../texts.js";

/** The number of members per page. */
const pageSize = 20;

/**
 * @param field the relation: {name, label, targetClass, owner}. `owner` is the object that has the relation: {className, objectId};
 *   its `objectId` is null for a new object
 * @param services {members, suggest, lookUp}. `members(owner, key, targetClass, {skip, limit})` resolves to {objects, count}
 */
export function createRelationEditor({ name, label, targetClass, owner }, attributes, services) {
  /** The changes that are not saved yet: maps from id to caption. */
  const added = new Map();
  const removed = new Map();
  let page = 0;
  let shown = { objects: [], count: 0 };
  const list = el("ul", { class: "members", "aria-label": t("Members of {label}", { label }) });
  const pager = el("div", { class: "member-pager" });
  const options = el("datalist", { id: `${attributes.id}-suggest` });
  const search = createObjectSearch(targetClass, services, (texts) => fill(options, texts.map((text) => el("option", { value: text }))));
  const control = el("input", {
    class: "input",
    type: "text",
    list: options.id,
    autocomplete: "off",
    dir: "auto",
    spellcheck: "false",
    placeholder: t("Add an object of {targetClass}", { targetClass }),
    on: { input: () => search.searchSoon(control.value), keydown: onKey },
    ...attributes,
  });
  const problem = el("p", { class: "field-problem", role: "alert", dir: "auto", hidden: true });
  const addButton = button([t("Add"), visuallyHidden(t(" to {label}", { label }))], addTyped);
  const node = el("div", {}, list, pager, el("div", { class: "member-add" }, control, options, addButton), problem);

  const pointer = (objectId) => ({ __type: "Pointer", className: targetClass, objectId });
  const pointers = (map) => [...map.keys()].map(pointer);

  function onKey(event) {
    // Enter adds the member instead of saving the form.
    if (event.key !== "Enter" || control.value.trim() === "") return;
    event.preventDefault();
    addTyped();
  }

  function tell(words) {
    problem.textContent = words ?? "";
    problem.hidden = words === null;
  }

  async function addTyped() {
    try {
      await take();
      tell(null);
    } catch (error) {
      tell(error.message);
    }
    control.focus();
  }

  /** Adds the object that the input names. Throws an error if there is none. */
  async function take() {
    const typed = control.value;
    if (typed.trim() === "") return;
    await search.finish(typed);
    const objectId = search.idOf(typed);
    if (objectId instanceof Error) throw objectId;
    const text = await search.textOf(objectId);
    if (text === null) throw new Error(t("There is no object of {targetClass} with the id {objectId} here.", { targetClass, objectId }));
    if (!removed.delete(objectId)) added.set(objectId, text);
    control.value = "";
    changed();
  }

  function remove(objectId, words) {
    if (!added.delete(objectId)) removed.set(objectId, words);
    changed();
    control.focus();
  }

  function keep(objectId) {
    removed.delete(objectId);
    changed();
    control.focus();
  }

  /** Draws the members, and reports the change to the form, which keeps a draft. */
  function changed() {
    draw();
    node.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function draw() {
    const news = [...added].filter(([id]) => !shown.objects.some(({ objectId }) => objectId === id));
    fill(
      list,
      news.map(([id, words]) => member(id, words, t("will be added"))),
      shown.objects.map(({ objectId, words }) => member(objectId, words, removed.has(objectId) ? t("will be removed") : "")),
    );
    list.hidden = list.childElementCount === 0;
    const first = page * pageSize + 1;
    const last = Math.min(shown.count, first + pageSize - 1);
    const step = (words, target, isPossible) => {
      const control = button([words, visuallyHidden(t(" members of {label}", { label }))], () => show(target), { className: "button-small button-quiet" });
      control.disabled = !isPossible;
      return control;
    };
    const isPaged = shown.count > pageSize;
    const words = isPaged ? t("{first}–{last} of {members}", { first, last, members: counted(shown.count, "member") }) : counted(shown.count, "member");
    fill(pager, el("span", { class: "hint" }, words), isPaged && [step(t("Previous"), page - 1, page > 0), step(t("Next"), page + 1, last < shown.count)]);
  }

  function member(objectId, words, note) {
    const isRemoved = removed.has(objectId);
    const run = () => (isRemoved ? keep(objectId) : remove(objectId, words));
    const act = button([isRemoved ? t("Keep") : t("Remove"), visuallyHidden(` ${words}`)], run, { className: "button-small button-quiet" });
    return el(
      "li",
      { class: isRemoved ? "member is-removed" : "member" },
      el("span", { class: "member-name" }, pointerLink(pointer(objectId))),
      note && el("span", { class: "hint" }, note),
      act,
    );
  }

  async function show(target) {
    page = target;
    if (owner.objectId === null) return draw();
    try {
      shown = await services.members(owner, name, targetClass, { skip: page * pageSize, limit: pageSize });
      draw();
    } catch (error) {
      tell(error.message);
    }
  }

  const read = () => relationChange(pointers(added), pointers(removed));
  show(0);
  search.searchNow("").catch(() => {});
  return {
    node,
    control,
    hint: t("Objects of {targetClass}. Type a part of a caption, or an id. The changes are saved with the form.", { targetClass }),
    isEditable: true,
    isChanged: () => added.size + removed.size > 0 || control.value.trim() !== "",
    isIncomplete: () => false,
    typed: () => JSON.stringify({ added: [...added], removed: [...removed] }),
    restoreText(text) {
      const kept = JSON.parse(text);
      for (const [id, words] of kept.added) added.set(id, words);
      for (const [id, words] of kept.removed) removed.set(id, words);
      draw();
    },
    read,
    /** Resolves to the operation that changes the relation. An object that is named in the input is added too. */
    async save() {
      await take();
      return read();
    },
    close: search.stop,
  };
}
