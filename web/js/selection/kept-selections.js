// The latest selection of each class. It lives as long as the tab: the selection of a class is there again when the page shows the
// same list of the class again, also after a reload.

const storageName = "tidegate.selections";
/** The maximum number of ids of a selection that survives a reload. */
const idsMax = 10_000;

export function createKeptSelections(storage = window.sessionStorage) {
  const all = new Map(read(storage));
  window.addEventListener("pagehide", write);

  function write() {
    const entries = [...all].filter(([, { ids, except }]) => ids.size + except.size <= idsMax);
    const stored = entries.map(([className, { list, isAll, ids, except }]) => [className, { list, isAll, ids: [...ids], except: [...except] }]);
    try {
      storage.setItem(storageName, JSON.stringify(stored));
    } catch {
      // If the storage is full, a reload ends the selections.
    }
  }

  return {
    /** The selection of a class in a list; null if the class has none, or one in another list. */
    of(className, list) {
      const kept = all.get(className);
      return kept?.list === list ? kept : null;
    },
    /** Keeps the selection of a class; null forgets it. */
    keep(className, selection) {
      if (selection === null) all.delete(className);
      else all.set(className, selection);
    },
    forgetAll() {
      all.clear();
      write();
    },
  };
}

function read(storage) {
  try {
    const stored = JSON.parse(storage.getItem(storageName)) ?? [];
    return stored.map(([className, { list, isAll, ids, except }]) => [className, { list, isAll, ids: new Set(ids), except: new Set(except) }]);
  } catch {
    return [];
  }
}
