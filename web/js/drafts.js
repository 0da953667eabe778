// Drafts: unsaved texts of forms. A draft survives a reload and the browser's Back button. Saving, discarding or closing the
// tab deletes it.

const storageName = "tidegate.forms";
/** The maximum number of drafts. The oldest drafts are deleted first. */
const keptMax = 10;

export function createDrafts(storage = window.sessionStorage) {
  const all = new Map(read(storage).map((draft) => [keyOf(draft), draft]));

  function write() {
    for (const key of [...all.keys()].slice(0, -keptMax)) all.delete(key);
    try {
      storage.setItem(storageName, JSON.stringify([...all.values()]));
    } catch {
      // The storage is full. The texts are lost when the form is closed.
    }
  }

  return {
    /**
     * The draft of one form: {kept, details, keep, drop}.
     *
     * @param kind "object", "json", "correction", "conflict", "options" or "class"
     * @param subject the object, change or class that the form edits, as JSON
     * @param at the class on the page while the form is open
     * @param details more values that are needed to reopen the form
     */
    of(kind, subject, at, details = null) {
      const key = keyOf({ kind, subject });
      const before = all.get(key) ?? null;
      return {
        /** The value {typed, added} of the last `keep`; null for a new draft. */
        kept: before?.entered ?? null,
        /** The `details` that were stored when the user began to type. */
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
    /** The most recent draft of a class: {kind, subject, details}; null if there is none. */
    lastAt: (className) => [...all.values()].findLast(({ at }) => at === className) ?? null,
    forget({ kind, subject }) {
      if (all.delete(keyOf({ kind, subject }))) write();
    },
  };
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
