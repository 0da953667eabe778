// The state of the page. Views draw from it and keep no copies.

export function createState() {
  const views = new Set();
  let scheduled = false;
  let values = {
    /** "connecting" until the first answer, then "connected", "lost" (no answer) or "locked" (access key required). */
    connection: "connecting",
    /** The shown class; null if there is none, or while the classes are unknown. */
    className: null,
    /** The search text. */
    search: "",
    /** The last answer of GET /sync. */
    status: null,
    /** True while a sync runs that the user started with the Refresh button. */
    refreshing: false,
    /** Scheduled deletions that can still be undone: a map from "class/id" to {className, objectId, object, name, at}. */
    deletions: new Map(),
    /** Pending changes and open decisions, as the gateway lists them. */
    pending: [],
    rejections: [],
    conflicts: [],
    removals: [],
    /** Resolved conflicts, newest first. They are read only while their list is open. */
    resolved: [],
    resolvedOpen: false,
    /**
     * The loaded objects: a map from class name to {phase: "loading" | "ready" | "failed", objects, total, search, order,
     * page, message}.
     */
    lists: new Map(),
    /** The requested table pages: a map from class name to {order, page}. */
    tables: new Map(),
    /** The known field types: a map from class name to {field: {type, targetClass, required}}. */
    types: new Map(),
    /** The last syncs and the numbers of pending changes, oldest first. */
    history: { syncs: [], pendingCounts: [] },
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
    /** Redraws without a change, to update relative times. */
    redraw,
    /** Calls a view now and after every change. Returns a function that removes the view. */
    show(view) {
      views.add(view);
      view(values);
      return () => views.delete(view);
    },
  };
}

/** Remembers the names of objects. An object without a known name is shown by its id. */
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
