// Deletions that can be undone. For ten seconds, an object is only marked as deleted. Then, or when the user leaves the page, the
// page sends the deletion.

import { isFocusLost } from "./dialog.js";
import { deleteIfUnchanged } from "./delete-if-unchanged.js";
import { subjectOf } from "./notices.js";
import { withEntry, withoutEntry } from "./records.js";
import { t } from "./texts.js";
import { isolated } from "./values.js";

export const undoMs = 10_000;

/** The scheduled deletion of an object; null if none is scheduled. */
export function deletionOf({ deletions }, className, objectId) {
  return deletions.get(`${className}/${objectId}`) ?? null;
}

export function createDeletions({ api, state, names, notices, reload }) {
  const timers = new Map();

  function remove(className, object) {
    const { objectId } = object;
    const key = `${className}/${objectId}`;
    if (timers.has(key)) return;
    const name = isolated(names.of(className, objectId));
    const deletion = { className, objectId, object, name, at: Date.now() };
    state.update({ deletions: withEntry(state.values.deletions, key, deletion) });
    timers.set(key, setTimeout(() => send(key, deletion), undoMs));
    notices.announce(t("{name} will be deleted in ten seconds. Until then you can undo it.", { name }));
  }

  function undo(className, { objectId }) {
    const key = `${className}/${objectId}`;
    const deletion = state.values.deletions.get(key);
    if (!deletion || !timers.has(key)) return;
    clearTimeout(timers.get(key));
    forget(key);
    notices.tell(t("{name} is kept.", { name: deletion.name }), { about: subjectOf(className, objectId) });
  }

  function forget(key) {
    timers.delete(key);
    state.update({ deletions: withoutEntry(state.values.deletions, key) });
  }

  async function send(key, { className, objectId, object, name }) {
    const place = placeOf(objectId);
    const about = subjectOf(className, objectId);
    timers.delete(key);
    try {
      const isDeleted = await deleteIfUnchanged(api, className, object, name);
      await reload();
      notices.tell(isDeleted ? t("{name} deleted.", { name }) : t("{name} is kept.", { name }), { about });
    } catch (error) {
      // An object that is already deleted needs no warning.
      if (!error.isGone) notices.warn(t("{name} was not deleted. {message}", { name, message: error.message }), { about });
      await reload();
    }
    forget(key);
    // If the removed entry had the focus, the focus moves to a neighbouring entry or to the list.
    if (isFocusLost() || document.activeElement.id === "main") place?.focus({ preventScroll: true });
  }

  window.addEventListener("pagehide", () => {
    for (const [key, timer] of timers) {
      clearTimeout(timer);
      const { className, objectId, object } = state.values.deletions.get(key);
      api.remove(className, objectId, { tag: object._sync?.tag, outlivesPage: true }).catch(() => {});
      forget(key);
    }
  });

  return { remove, undoRemoval: undo };
}

/**
 * The node that gets the focus when an object's entry is removed: the next entry, the previous entry, or the list. Null if the
 * entry does not have the focus.
 */
function placeOf(objectId) {
  const entries = [...document.querySelectorAll("#main [data-object]")];
  const at = entries.findIndex((entry) => entry.dataset.object === objectId);
  if (at < 0 || !entries[at].contains(document.activeElement)) return null;
  return entries[at + 1] ?? entries[at - 1] ?? document.getElementById("main");
}
