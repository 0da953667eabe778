// The actions that open one object, in a pane beside the list, and that add an object, in a dialog.

import { openAclForm } from "./acl-form.js";
import { iconButton } from "./buttons.js";
import { isFocusLost, openDialog } from "./dialog.js";
import { relationFields } from "./field-types.js";
import { openJsonForm, openObjectForm } from "./object-form.js";
import { isDenied, openObjectView } from "./object-view.js";
import { watchObject } from "./object-watch.js";
import { openAt } from "./opened.js";
import { isPaneOpen, openPane } from "./pane.js";
import { presentationOf } from "./presentations.js";
import { referenceSection } from "./reference-section.js";
import { reveal } from "./reveal.js";
import { isolated } from "./values.js";

/**
 * @param rows the rows of the shown list, see `shown-rows.js`
 * @param references {referencesTo, showFiltered}, see `reference-section.js`
 * @param fieldsOf returns the editable fields of a class
 */
export function createObjectActions({ api, state, names, notices, drafts, services, references, rows, fieldsOf, reload }) {
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
    const { one, fields } = presentationOf(state.values, className);
    const isNew = present === null;
    const kind = asJson ? "json" : "object";
    const draft = drafts.of(kind, [className, present?.objectId ?? null], state.values.className, present);
    // The form of a restored draft shows the version of the object that the user saw while typing.
    const object = draft.details;
    const name = isNew ? "" : nameOf(className, object.objectId);
    const watch = (shown, onChange) => watchObject({ api, state }, className, shown, onChange);
    const openFrame = isNew ? openDialog : paneOf(className, object, options);
    const place = { className, objectId: object?.objectId ?? null };
    const more = isNew ? null : referenceSection(place, references);
    if (isDenied(present, "update") && draft.kept === null) return openObjectView({ title: name, object: present, watch, more, openFrame });
    const title = isNew ? `Add ${article(one)} ${one}` : `Edit ${name}`;
    const saveAnew = async (fields) => {
      const { objectId } = await api.create(className, fields);
      await show(className, objectId, "Added.");
    };
    const save = async (changes, tag) => {
      if (isNew) return saveAnew(changes);
      await api.update(className, object.objectId, changes, tag);
      await show(className, object.objectId, "Saved.");
    };
    const frame = {
      openFrame,
      first,
      onKept: () => notices.tell(isNew ? `Your unsaved ${one} is kept.` : `Your unsaved text of ${name} is kept. Open it again to continue.`),
      again: isNew ? null : async (row) => edit(className, await api.read(className, object.objectId), { asJson, first: row }),
    };
    if (asJson) return openJsonForm({ title, object, draft, save, saveAnew, watch, ...frame });
    const onJson = isNew ? null : (newest) => edit(className, newest, { asJson: true });
    const onRights = isNew || !state.values.isOwner ? null : (newest) => editRights(className, newest);
    const takesNewFields = fields === null;
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
      onRights,
      more,
      ...frame,
    });
  }

  /** Returns the function that opens the pane of an object. */
  function paneOf(className, object, { asJson = false, takesFocus = true }) {
    const origin = document.activeElement?.dataset?.focus;
    const step = (by) => async () => {
      const next = await rows.beside(className, object, by).catch(() => null);
      if (next === null) return notices.announce(by < 0 ? "This is the first object of the list." : "This is the last object of the list.");
      edit(className, next, { asJson });
      await rows.show(className, next).catch(() => {});
    };
    const tool = (words, key, iconName, by) => {
      const control = iconButton(`${words} object`, iconName, step(by), { title: `${words} (${key})`, focus: `${words} object` });
      control.setAttribute("aria-keyshortcuts", `Alt+Page${by < 0 ? "Up" : "Down"}`);
      control.setAttribute("aria-disabled", String(rows.isAtEnd(className, object, by)));
      return control;
    };
    return (options) =>
      openPane({
        ...options,
        takesFocus,
        tools: [tool("Previous", "Alt Page Up", "sortUp", -1), tool("Next", "Alt Page Down", "sortDown", 1)],
        returnFocus: () => rows.focus(className, object.objectId, origin),
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

  /** Opens an object that may be missing in the shown list, or says that it is not there. */
  async function openById({ className, objectId }) {
    try {
      const object = await api.read(className, objectId);
      names.learn(className, [object]);
      edit(className, object);
    } catch (error) {
      notices.warn(error.isGone ? `${className} has no object with the id ${isolated(objectId)}, or you may not read it.` : error.message);
      state.update({ opened: null });
    }
  }

  /** Opens the form of an object's ACL. */
  async function editRights(className, object) {
    try {
      const [users, roles] = await Promise.all([api.owner.users(), api.owner.roles()]);
      openAclForm({
        title: `Rights of ${nameOf(className, object.objectId)}`,
        acl: object.ACL,
        people: { users, roles },
        save: async (ACL) => {
          await api.update(className, object.objectId, { ACL }, object._sync?.tag);
          await reload();
          notices.tell("The rights are saved.");
        },
      });
    } catch (error) {
      notices.warn(error.message);
    }
  }

  /** Reloads the state, scrolls to the saved object if the list contains it, and shows a notice. */
  async function show(className, objectId, words) {
    await reload();
    // Waits until the form has closed and restored the previous focus.
    setTimeout(async () => {
      const isLost = isFocusLost();
      const isSeen = reveal(objectId, isLost) || reveal(await currentId(className, objectId), isLost);
      notices.tell(isSeen ? words : `${words} The current list does not show it.`);
    });
  }

  /** Returns the current id of an object. `objectId` may be a local id that the remote has replaced. */
  async function currentId(className, objectId) {
    return (await api.read(className, objectId).catch(() => ({ objectId }))).objectId;
  }

  return {
    add: (className) => openForm(className, null),
    edit,
    openById,
    /** If the pane shows another object, moves the pane to an object of the list. Returns whether it has moved. */
    follow(className, object) {
      const { opened } = state.values;
      if (!isPaneOpen() || (opened?.className === className && opened.objectId === object.objectId)) return false;
      edit(className, object, { takesFocus: false });
      notices.announce(`${nameOf(className, object.objectId)} is open. F6 goes to it.`);
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
