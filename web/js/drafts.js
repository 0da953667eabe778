// Drafts: texts of forms that were not saved. A draft is kept until the tab is closed, so that a reload, or the browser's
// Back, does not lose it; saving and discarding end it.

const storageName = "tidegate.forms";
/** Older ones are forgotten. */
const keptMax = 10;

export function createDrafts(storage = window.sessionStorage) {
  const all = new Map(read(storage).map((draft) => [keyOf(draft), draft]));

  function write() {
    for (const key of [...all.keys()].slice(0, -keptMax)) all.delete(key);
    try {
      storage.setItem(storageName, JSON.stringify([...all.values()]));
    } catch {
      // No room is left: the texts live as long as the form.
    }
  }

  return {
    /**
     * The draft of one form: {kept, details, keep, drop}.
     *
     * @param kind "object", "json", "correction", "conflict", "options" or "class"
     * @param subject the subject of the form, as JSON
     * @param at the class that is shown while the form is open
     * @param details further values that are needed to open the form again
     */
    of(kind, subject, at, details = null) {
      const key = keyOf({ kind, subject });
      const before = all.get(key) ?? null;
      return {
        /** {typed, added} as `keep` got it; null where nothing was typed. */
        kept: before?.entered ?? null,
        /** The details at the time when it was typed. */
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
    /** The latest draft of a class that is shown: {kind, subject, details}; null for none. */
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
