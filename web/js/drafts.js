// Drafts: the unsaved texts of forms. A draft survives a reload and the browser's Back button. Saving or discarding the form
// deletes its draft. Closing the tab deletes all drafts.

const storageName = "tidegate.forms";
/** The maximum number of drafts. The oldest drafts are deleted first. */
const keptMax = 50;

export function createDrafts(storage = window.sessionStorage) {
  const all = new Map(read(storage).map((draft) => [keyOf(draft), draft]));

  function write() {
    for (const key of [...all.keys()].slice(0, -keptMax)) all.delete(key);
    try {
      storage.setItem(storageName, JSON.stringify([...all.values()]));
    } catch {
      // If the storage is full, a reload loses the newest texts.
    }
  }

  return {
    /**
     * The draft of one form: {kept, details, keep, drop}. `keep` stores the user's entries, and `drop` deletes the draft.
     *
     * @param kind "object", "json", "correction", "conflict", "options" or "class"
     * @param subject identifies the object, change, conflict or class that the form edits; a JSON value
     * @param at the class that the page shows while the form is open
     * @param details further values that are needed to reopen the form
     */
    of(kind, subject, at, details = null) {
      const key = keyOf({ kind, subject });
      const before = all.get(key) ?? null;
      return {
        /** The stored texts and added fields of the form, as {typed, added}; null without a stored draft. */
        kept: before?.entered ?? null,
        /** The `details` of the stored draft; without a stored draft, the parameter `details`. */
        details: before?.details ?? details,
        keep(entered) {
          all.delete(key);
          all.set(key, { kind, subject, at, details: before?.details ?? details, entered });
          write();
        },
        drop() {
          if (all.delete(key)) write();
        },
      };
    },
    /** The latest draft that the user typed while the page showed a class: {kind, subject, details}; null if there is none. */
    lastAt: (className) => [...all.values()].findLast(({ at }) => at === className) ?? null,
    /** The latest draft of the form of an object or a conflict that an address names; null if there is none. */
    lastOf: (opened) => [...all.values()].findLast((draft) => isDraftOf(draft, opened)) ?? null,
    forgetAll() {
      all.clear();
      write();
    },
    forget({ kind, subject }) {
      if (all.delete(keyOf({ kind, subject }))) write();
    },
  };
}

/** Whether the page's address can name the subject of a draft: an object that exists, or a conflict. */
export function hasAddress({ kind, details }) {
  return kind === "conflict" || ((kind === "object" || kind === "json") && details !== null);
}

/** Whether a draft is that of the form of an object or a conflict, as the page's address names it. */
function isDraftOf({ kind, subject }, { className, objectId, conflict }) {
  if (kind === "object" || kind === "json") return subject[0] === className && subject[1] === objectId;
  return kind === "conflict" && String(subject) === conflict;
}

function keyOf({ kind, subject }) {
  return JSON.stringify([kind, subject]);
}

function read(storage) {
  try {
    return JSON.parse(storage.getItem(storageName)) ?? [];
  } catch {
    return [];
  }
}
