// What was typed into forms and not saved. It is kept for as long as the tab is there, so that a reload, or the browser's
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
      // No room is left: what was typed lives as long as the form.
    }
  }

  return {
    /**
     * The draft of one form: {kept, details, keep, drop}.
     *
     * @param kind "object", "json", "correction", "conflict", "options" or "class"
     * @param subject what the form is about, as JSON
     * @param at the class that is shown while the form is open
     * @param details what else is needed to open the form again
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
    /** What was typed last while a class was shown: {kind, subject, details}; null for nothing. */
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
