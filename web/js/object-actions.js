// The actions that open one object, in a pane beside the list, and that add an object, in a dialog.

import { isDeniedInClass } from "./class-rights.js";
import { isFocusLost, openDialog } from "./dialog.js";
import { relationFields } from "./field-types.js";
import { keepDrafts } from "./form-draft.js";
import { openJsonForm, openObjectForm } from "./object-form.js";
import { hasNoObjects, isNotKept } from "./missing-object.js";
import { subjectOf } from "./notices.js";
import { createObjectPane } from "./object-pane.js";
import { createObjectRights } from "./object-rights.js";
import { objectSections } from "./object-sections.js";
import { isDenied, openObjectView } from "./object-view.js";
import { watchObject } from "./object-watch.js";
import { openAt } from "./opened.js";
import { closePane, focusPane, isPaneOpen } from "./pane.js";
import { presentationOf } from "./presentations.js";
import { reveal } from "./reveal.js";
import { t } from "./texts.js";
import { isEqual, isolated } from "./values.js";

/**
 * @param page the parts of the page that the forms need: {api, state, names, notices, drafts, services, references, rows, reload},
 *   {caller, remove, undo, showDecision}, see `object-pane.js` and `object-sections.js`, and {amend}, see `navigation.js`
 * @param fieldsOf returns the editable fields of a class
 */
export function createObjectActions(page, fieldsOf) {
  const { api, state, names, notices, drafts, services, reload, amend } = page;
  const paneOf = createObjectPane(page);
  const editRights = createObjectRights(page);
  const nameOf = (className, objectId) => isolated(names.of(className, objectId));

  /**
   * Opens the form of an object, or the pane that shows it.
   *
   * @param present null for a new object
   * @param options {asJson, takesFocus, first}, see `edit`
   * @returns the frame of the form or the pane
   */
  function openForm(className, present, options = {}) {
    const { asJson = false, first = null } = options;
    // The form may replace an open form of the same object.
    keepDrafts();
    const { one, fields } = presentationOf(state.values, className);
    const isNew = present === null;
    const kind = asJson ? "json" : "object";
    const draft = drafts.of(kind, [className, present?.objectId ?? null], state.values.className, present);
    // The form of a restored draft shows the version of the object that the user saw while typing.
    const object = draft.details;
    const name = isNew ? "" : nameOf(className, object.objectId);
    const about = subjectOf(className, object?.objectId);
    const openFrame = isNew ? openDialog : paneOf(className, object, options, edit);
    const place = { className, objectId: object?.objectId ?? null };
    const mayUpdate = !isDenied(present, "update");
    const onRights = mayUpdate ? (newest) => editRights(className, newest) : null;
    const sections = isNew ? null : objectSections(className, object, { ...page, onRights });
    const watch = (shown, onChange) => {
      const stop = watchObject({ api, state }, className, shown, (newer) => {
        // Other rights, and the id that the remote has given a new object, need another pane. A form with unsaved text stays: the
        // gateway knows the object by both ids, and refuses what is denied.
        keepDrafts();
        const isSame = newer.objectId === object.objectId && isEqual(newer._sync?.denied, shown._sync?.denied);
        if (!isSame && drafts.of(kind, [className, object.objectId]).kept === null) return edit(className, newer, { asJson, takesFocus: false });
        sections.show(newer);
        onChange(newer);
      }, () => {
        keepDrafts();
        const isTyped = drafts.of(kind, [className, object.objectId]).kept !== null;
        if (isTyped) return notices.warn(t("{name} was deleted, or you may no longer read it. Your text is still in its form.", { name }), { about });
        closePane();
        notices.tell(t("{name} is no longer there.", { name }), { about });
      });
      return () => {
        stop();
        sections.close();
      };
    };
    const more = sections?.node;
    if (!mayUpdate && draft.kept === null) return openObjectView({ title: name, object: present, watch, more, openFrame });
    const title = isNew ? t("Add {article} {one}", { article: article(one), one }) : t("Edit {name}", { name });
    const saveAnew = async (fields) => {
      const { objectId } = await api.create(className, fields);
      await show(className, objectId, t("Added."));
    };
    const save = async (changes, tag) => {
      if (isNew) return saveAnew(changes);
      await api.update(className, object.objectId, changes, tag);
      await show(className, object.objectId, t("Saved."));
    };
    const frame = {
      openFrame,
      first,
      onKept: () => notices.tell(isNew ? t("Your unsaved {one} is kept.", { one }) : t("Your unsaved text of {name} is kept. Open it again to continue.", { name })),
      again: isNew ? null : async (row) => edit(className, await api.read(className, object.objectId), { asJson, first: row }),
    };
    if (asJson) return openJsonForm({ title, object, draft, save, saveAnew, watch, ...frame });
    const onJson = isNew ? null : (newest) => edit(className, newest, { asJson: true });
    const takesNewFields = fields === null && !isDeniedInClass(state.values, className, "addField");
    const relations = fields === null ? relationFields(state.values.types.get(className) ?? {}, place) : [];
    return openObjectForm({
      title,
      fields: [...fieldsOf(className), ...relations],
      object,
      services,
      takesNewFields,
      draft,
      save,
      saveAnew,
      watch,
      onJson,
      more,
      ...frame,
    });
  }

  /**
   * Opens the pane of an object, and writes the object into the address until the pane closes.
   *
   * @param options {asJson, takesFocus, first}: whether to show the object as JSON, whether the pane gets the focus, and the name of
   *   the field that gets it
   */
  function edit(className, object, options = {}) {
    openAt(state, { className, objectId: object.objectId }, () => openForm(className, object, options));
  }

  /**
   * Opens an object that may be missing in the shown list, or says that it is not there.
   *
   * @param opened the object that the page's address names. If the user has left the address before the answer, nothing opens
   */
  async function openById(opened) {
    const { className, objectId } = opened;
    const { object, problem } = await found(className, objectId);
    if (state.values.opened !== opened) return;
    if (object) return edit(className, object);
    notices.warnHere(problem, { about: isNotKept(state.values, className) ? subjectOf(className) : subjectOf(className, objectId) });
    amend({ opened: null });
  }

  /** Reads an object: {object}, or {problem} as a text. */
  async function found(className, objectId) {
    if (hasNoObjects(state.values, className)) return { problem: goneText(className, objectId) };
    try {
      const object = await api.read(className, objectId);
      names.learn(className, [object]);
      return { object };
    } catch (error) {
      return { problem: error.isGone ? goneText(className, objectId) : error.message };
    }
  }

  function goneText(className, objectId) {
    const id = isolated(objectId);
    if (isNotKept(state.values, className)) return t("The class {className} is not kept here, so the object {objectId} is not here either.", { className, objectId: id });
    return t("{className} has no object with the id {objectId}, or you may not read it.", { className, objectId: id });
  }

  /** Reloads the state, scrolls to the saved object if the list contains it, and shows a notice. */
  async function show(className, objectId, words) {
    await reload();
    // Waits until the form has closed and restored the previous focus.
    setTimeout(async () => {
      const isLost = isFocusLost();
      const isSeen = reveal(objectId, isLost) || reveal(await currentId(className, objectId), isLost);
      notices.tell(isSeen ? words : `${words} ${t("The current list does not show it.")}`, { about: subjectOf(className, objectId) });
    });
  }

  /** Returns the current id of an object. `objectId` may be a local id that the remote has replaced. */
  async function currentId(className, objectId) {
    return (await api.read(className, objectId).catch(() => ({ objectId }))).objectId;
  }

  /** Whether the pane shows an object. */
  function isShown(className, { objectId }) {
    const { opened } = state.values;
    return isPaneOpen() && opened?.className === className && opened.objectId === objectId;
  }

  return {
    add: (className) => openForm(className, null),
    /**
     * Opens the pane of an object. If it is open already, moves the focus to it.
     *
     * @param first the name of the field that gets the focus; null for the first field
     */
    edit: (className, object, first = null) => (isShown(className, object) ? focusPane() : edit(className, object, { first })),
    openById,
    /** If the pane shows another object, moves the pane to an object of the list. Returns whether it has moved. */
    follow(className, object) {
      if (!isPaneOpen() || isShown(className, object)) return false;
      edit(className, object, { takesFocus: false });
      notices.announce(t("{name} is open. F6 goes to it.", { name: nameOf(className, object.objectId) }));
      return true;
    },
    /** Reopens the form of a draft about an object. Returns false for any other draft. */
    reopenObject({ kind, subject, details }) {
      if (kind !== "object" && kind !== "json") return false;
      if (details === null) openForm(subject[0], null);
      else edit(subject[0], details, { asJson: kind === "json" });
      return true;
    },
  };
}

function article(word) {
  return /^[aeiou]/.test(word) ? "an" : "a";
}
