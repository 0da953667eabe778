// What the page knows, in one place. Views read it and draw; they never keep a second copy.

export function createState() {
  const views = new Set();
  let scheduled = false;
  let values = {
    /** "connecting" until the first answer, then "connected", "lost" (no answer) or "locked" (access key needed). */
    connection: "connecting",
    /** The class that is shown; null while there is none, or none is known. */
    className: null,
    /** Words to filter by. */
    search: "",
    /** The last answer of GET /sync. */
    status: null,
    /** True while a person waits for a sync that they asked for here. */
    refreshing: false,
    /** "class/id" to {className, objectId, name, at} of objects that are about to be deleted, and can still be kept. */
    deletions: new Map(),
    /** What waits for the remote or for a decision. */
    pending: [],
    rejections: [],
    conflicts: [],
    removals: [],
    /** Conflicts that are no longer open, newest first; read only while their list is open. */
    settled: [],
    settledOpen: false,
    /** Class name to {phase: "loading" | "ready" | "failed", objects, total, search, order, page, message}. */
    lists: new Map(),
    /** Class name to {order, page}: how a class that is read page by page shall be shown. */
    tables: new Map(),
    /** Class name to {field: {type, targetClass, required}}, as far as they are known. */
    types: new Map(),
    /** The last syncs and how many changes waited, oldest first. */
    history: { syncs: [], waiting: [] },
    /** Whether the details panel is open. */
    panelOpen: false,
  };

  function draw() {
    scheduled = false;
    for (const view of views) view(values);
  }

  function redraw() {
    if (scheduled) return;
    scheduled = true;
    queueMicrotask(draw);
  }

  return {
    get values() {
      return values;
    },
    update(patch) {
      values = { ...values, ...patch };
      redraw();
    },
    /** Draws again without a change: the clock moved on. */
    redraw,
    /** Calls the view now and after every change. Returns a function that ends that. */
    show(view) {
      views.add(view);
      view(values);
      return () => views.delete(view);
    },
  };
}

/** The label of an object that may be gone from its list: its name while one is known, else its id. */
export function createNames() {
  const names = new Map();
  return {
    learn(className, objects) {
      for (const object of objects) {
        const name = object.name ?? object.title;
        if (typeof name === "string" && name !== "") names.set(`${className}/${object.objectId}`, name);
      }
    },
    has: (className, objectId) => names.has(`${className}/${objectId}`),
    of: (className, objectId) => names.get(`${className}/${objectId}`) ?? objectId,
  };
}
