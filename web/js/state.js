// The state of the page. Views draw from the state and keep no copies of it.

export function createState() {
  const views = new Set();
  let scheduled = false;
  let values = {
    /** "connecting" before the first response, then "connected", "lost" (no response) or "locked" (access key required). */
    connection: "connecting",
    /** The shown class; null if there is no class, or while the classes are unknown. */
    className: null,
    /** The tool that is shown in place of a class, as the parts of its address, such as ["schema", "Boat"]; null for a class. */
    tool: null,
    /** The search text. */
    search: "",
    /**
     * The last known sync status, in the format of GET /sync; null before the first response. With the master key, its counts
     * include the entries of all users.
     */
    status: null,
    /** Whether a sync is running that the user has started with the Refresh button. */
    refreshing: false,
    /** The scheduled deletions that can still be undone: a map from "class/id" to {className, objectId, object, name, at}. */
    deletions: new Map(),
    /** The pending changes, rejected changes, open conflicts and held removals, as the gateway returns them, with their authors. */
    pending: [],
    rejections: [],
    conflicts: [],
    removals: [],
    /** The number of answers of the gateway that each of these lists consists of, if it is more than one. */
    entryPages: {},
    /** The resolved conflicts, newest first. They are read only while the page shows them. */
    resolved: [],
    resolvedOpen: false,
    /**
     * The lists of objects: a map from class name to {phase: "loading" | "ready" | "failed" | "stopped", objects, total, search,
     * searched, order, where, message}. `message` explains a failure, `searched` names the searched fields. The list of a table
     * has only the loaded rows in `objects`, and in `chunks` by their places. Its `total` counts all rows, as that of an almanac,
     * whose `hidden` has the numbers of the objects before and after the shown ones. `reading` is the result of `readingOf`. `held` has the ids of
     * changed objects whose rows stay in their places, and `gone` the ids of those that are no longer there.
     */
    lists: new Map(),
    /** How the user wants to see the classes: a map from class name to {order, where, view, columns, at}. */
    tables: new Map(),
    /** The choices that the browser remembers: {panelOpen, times, hasSingleKeys, classes}. */
    remembered: { panelOpen: false, times: "local", hasSingleKeys: true, language: null, paneWidth: null, classes: {} },
    /**
     * The search text and the filter of an address that the page has not written itself: {search, where}. They are applied when
     * the user agrees, because a link on another site can contain any query. Null if there is nothing to agree to.
     */
    offered: null,
    /** The selected objects of the shown list, see `selection.js`; null if none is selected. */
    selection: null,
    /** The object or the conflict whose form is open: {className, objectId, conflict}; null if the address names neither. */
    opened: null,
    /** The known field types: a map from class name to {field: {type, targetClass, required}}. */
    types: new Map(),
    /** The latest syncs, and the latest counts of pending changes. Both lists are oldest first. */
    history: { syncs: [], pendingCounts: [] },
    /** Whether the gateway is new: without a remote and without data. False if the page does not know. */
    isNew: false,
    /** The signed-in user: {objectId, username}; null if nobody is signed in. */
    user: null,
    /** Whether the page uses the master key. */
    isOwner: false,
    /** Whether the page has the session of the person who runs the gateway. */
    operates: false,
    /**
     * With the master key, the users of a replica with the numbers of their waiting changes and decisions, as the gateway
     * returns them.
     */
    users: [],
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
    /** Draws all views again although the state is unchanged, to update texts such as "3 minutes ago". */
    redraw,
    /** Calls a view now and after every change of the state. Returns a function that removes the view. */
    show(view) {
      views.add(view);
      view(values);
      return () => views.delete(view);
    },
  };
}

/**
 * Stores the names of objects, which are their captions. An object without a known name is shown by its id.
 *
 * @param textOf `(className, object)`: the caption of an object, or null
 * @param captionField `(className)`: the caption field of a class, or null
 * @param keysOf `(className)`: the fields to read for the caption
 */
export function createNames({ textOf, keysOf, of: captionField }) {
  const names = new Map();
  return {
    learn(className, objects) {
      for (const object of objects) {
        const name = textOf(className, object);
        if (name !== null) names.set(`${className}/${object.objectId}`, name);
      }
    },
    keysOf,
    captionField,
    forgetAll: () => names.clear(),
    has: (className, objectId) => names.has(`${className}/${objectId}`),
    /** The name of an object by its present fields, also if it is not the stored one yet. */
    nameIn: (className, object) => textOf(className, object) ?? object.objectId,
    of: (className, objectId) => names.get(`${className}/${objectId}`) ?? objectId,
  };
}
