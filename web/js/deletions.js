// Deletions that can be undone: for ten seconds the page only marks an object as deleted, and asks the gateway then. After
// the page is left there is no undo, so waiting deletions are sent at once.

import { isFocusLost } from "./dialog.js";
import { removeSeen } from "./seen-delete.js";
import { withEntry, withoutEntry } from "./named.js";
import { isolated } from "./values.js";

export const undoMs = 10_000;

/** The place of an object among those that are about to be deleted. */
export function deletionOf({ deletions }, className, objectId) {
  return deletions.get(`${className}/${objectId}`) ?? null;
}

export function createDeletions({ api, state, names, notices, look }) {
  const timers = new Map();

  function remove(className, object) {
    const { objectId } = object;
    const key = `${className}/${objectId}`;
    if (timers.has(key)) return;
    const name = isolated(names.of(className, objectId));
    const deletion = { className, objectId, object, name, at: Date.now() };
    state.update({ deletions: withEntry(state.values.deletions, key, deletion) });
    timers.set(key, setTimeout(() => send(key, deletion), undoMs));
    notices.announce(`${name} is deleted in ten seconds. Until then it can be undone.`);
  }

  function undo(className, { objectId }) {
    const key = `${className}/${objectId}`;
    const deletion = state.values.deletions.get(key);
    if (!deletion || !timers.has(key)) return;
    clearTimeout(timers.get(key));
    forget(key);
    notices.tell(`${deletion.name} is kept.`);
  }

  function forget(key) {
    timers.delete(key);
    state.update({ deletions: withoutEntry(state.values.deletions, key) });
  }

  async function send(key, { className, objectId, object, name }) {
    const place = placeOf(objectId);
    timers.delete(key);
    try {
      const isDeleted = await removeSeen(api, className, object, name);
      await look();
      notices.tell(isDeleted ? `${name} deleted.` : `${name} is kept.`);
    } catch (error) {
      // Another one may have deleted it already.
      if (error.code !== 101) notices.warn(`${name} was not deleted. ${error.message}`);
      await look();
    }
    forget(key);
    // A button that had the focus has gone with its entry; the reader's place in the list stays.
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

/** Where the focus goes when an entry that has it is gone: to the one after it, or before it, or to the list. Null where it has not. */
function placeOf(objectId) {
  const entries = [...document.querySelectorAll("#main [data-object]")];
  const at = entries.findIndex((entry) => entry.dataset.object === objectId);
  if (at < 0 || !entries[at].contains(document.activeElement)) return null;
  return entries[at + 1] ?? entries[at - 1] ?? document.getElementById("main");
}
