// Keeps the state of the page up to date: sync status, lists of objects, pending changes and open decisions. The poller calls
// `poll` at regular intervals, and after changes that the gateway's events report.

import { ApiError, StoppedError, SupersededError, UnreachableError } from "./api.js";
import { createClassTypes } from "./class-types.js";
import { createFeed } from "./change-feed.js";
import { readEntries, readResolved } from "./entries.js";
import { withStatus } from "./history.js";
import { hasPeriod } from "./filters/periods.js";
import { createLists } from "./lists.js";
import { withEntry } from "./records.js";
import { firstClass } from "./presentations.js";
import { storeRemembered, withTable } from "./remembered.js";
import { fingerprintOf, hasMoved, workOf } from "./status-fingerprint.js";
import { tableOf } from "./tables.js";
import { showsUsers, withUsers } from "./users.js";

/** The maximum number of objects whose names are read at once. Their ids are a part of the request's address. */
const namedMax = 100;

/** @param onChanges `(changes)`: called with the changes of objects since the last poll: {all, classNames} */
export function createGateway(api, state, names, onChanges = () => {}) {
  const feed = createFeed(api);
  const types = createClassTypes(api, state);
  const lists = createLists({ api, state, names, types });
  const namesRequested = new Set();
  let lastFingerprint = "";
  /** The result of `workOf` for the status of the last poll: whether a sync was running, and when the last sync ended. */
  let lastWork = "";
  /** The time of the last sync that may have changed a list. */
  let movedAt = null;

  /** Reads all changes since the last poll into the state. A failed request updates `phase` or `connection`. */
  async function poll() {
    try {
      const changes = await feed.next();
      onChanges(changes);
      const { status, users } = await readStatus();
      const fingerprint = currentFingerprint(status, users);
      const hasChanges = changes.all || changes.classNames.size > 0 || fingerprint !== lastFingerprint;
      const work = workOf(status);
      takeStatus(status, users);
      if (!hasChanges) {
        // An attempt to send a change may have changed the entry of the change without a change of any object.
        if (work !== lastWork) await loadSyncLists(status);
        lastWork = work;
        return;
      }
      const rows = loadLists(changes, fingerprint);
      // A large list must not delay the entries of the details panel.
      await Promise.all([rows, loadSyncLists(status, rows)]);
      lastFingerprint = fingerprint;
      lastWork = work;
    } catch (error) {
      fail(error);
    }
  }

  /**
   * Reads the shown list again if it is outdated, and forgets the other outdated lists. A changed sync status makes all lists
   * outdated, because an object's badge can change without a change of the object.
   */
  async function loadLists(changes, fingerprint) {
    for (const className of new Set([...state.values.lists.keys(), state.values.className])) {
      if (className === null) continue;
      const isShown = className === state.values.className;
      const isMissing = !state.values.lists.has(className);
      const isStale = isMissing || changes.all || changes.classNames.has(className) || fingerprint !== lastFingerprint;
      const isStopped = state.values.lists.get(className)?.phase === "stopped";
      if (isStale && isShown && !isStopped) await lists.load(className);
      else if (isStale && !isShown) lists.forget(className);
    }
  }

  /** @see fingerprintOf */
  function currentFingerprint(status, users) {
    if (hasMoved(status)) movedAt = status.lastSyncAt;
    return fingerprintOf({ ...status, movedAt }, users);
  }

  /** Reads the sync status. With the master key, also reads the users of a replica. */
  async function readStatus() {
    const status = await api.syncStatus();
    const users = showsUsers({ status, isOwner: state.values.isOwner }) ? await api.owner.usersOfReplica() : [];
    return { status: withUsers(status, users), users };
  }

  function takeStatus(status, users = []) {
    const className = state.values.className ?? firstClass(status);
    if (className !== state.values.className) queueMicrotask(() => state.values.lists.has(className) || open(className));
    state.update({ status, users, className, connection: "connected", history: withStatus(state.values.history, status) });
  }

  function fail(error) {
    if (error instanceof SupersededError || error instanceof StoppedError) return;
    if (error instanceof ApiError && error.isLocked) return state.update({ connection: "locked" });
    if (error instanceof UnreachableError) {
      feed.reset();
      return state.update({ connection: "lost" });
    }
    if (!(error instanceof ApiError)) throw error;
    state.update({ connection: "connected" });
  }

  function setTable(className, patch) {
    const table = { ...state.values.tables.get(className), ...patch };
    state.update({ tables: withEntry(state.values.tables, className, table) });
  }

  function keep(remembered) {
    if (remembered === state.values.remembered) return;
    storeRemembered(remembered);
    state.update({ remembered });
  }

  /**
   * Reads the entries of the details panel into the state.
   *
   * @param rows the running read of lists of objects, which may learn the names of the entries' objects
   */
  async function loadSyncLists(status, rows = null) {
    if (status.mode !== "replica") return;
    const read = (name) => (status[name] > 0 ? readEntries(api[name], state.values, state.values.entryPages[name]) : []);
    const [pending, rejections, conflicts, removals, resolved] = await Promise.all([
      read("pending"),
      read("rejections"),
      read("conflicts"),
      read("removals"),
      state.values.resolvedOpen ? readResolved(api.resolvedConflicts, state.values) : [],
    ]);
    for (const { className, objectId, ...sides } of [...pending, ...rejections, ...conflicts, ...resolved]) {
      // The name in a change or conflict may be outdated, so it does not replace a known name.
      const known = [sides.operations, sides.base, sides.remote, sides.local].filter(Boolean).map((object) => ({ ...object, objectId }));
      if (!names.has(className, objectId)) names.learn(className, known);
    }
    state.update({ pending, rejections, conflicts, removals, resolved });
    await rows;
    await learnNames([...pending, ...rejections, ...removals]);
    state.redraw();
  }

  /**
   * Reads the names of objects whose name is unknown. Each object is looked up only once, because some objects have no name.
   *
   * @param items pending changes, rejected changes and held removals
   */
  async function learnNames(items) {
    const wanted = new Map();
    for (const { className, objectId, objectIds = [objectId], olderIds = [] } of items) {
      for (const id of [...objectIds, ...olderIds]) {
        if (names.has(className, id) || namesRequested.has(`${className}/${id}`)) continue;
        namesRequested.add(`${className}/${id}`);
        wanted.set(className, [...(wanted.get(className) ?? []), id]);
      }
    }
    for (const [className, ids] of wanted) {
      const keys = names.keysOf(className);
      for (let at = 0; at < ids.length; at += namedMax) {
        const where = { objectId: { $in: ids.slice(at, at + namedMax) } };
        names.learn(className, await api.findCaptions(className, { where, keys, limit: namedMax }));
      }
    }
  }

  /** Reads the list of a class into the state; does nothing for null. A failed request updates `phase` or `connection`. */
  async function open(className) {
    try {
      if (className !== null) await lists.load(className);
    } catch (error) {
      fail(error);
    }
  }

  return {
    poll,
    open,
    /** Shows a class. Reads the class's list if the state has none, or one for another search, filter, order or page. */
    show(className, { search, table }) {
      const isOther = className !== state.values.className;
      state.update({ className, search });
      if (className === null) return;
      setTable(className, table);
      if (lists.isCurrent(className)) return;
      if (isOther) lists.forget(className);
      if (state.values.status !== null) return open(className);
    },
    /** Copies an event's sync status into the state, if the page is connected. Returns whether the page has to poll. */
    receiveStatus(status) {
      if (state.values.connection !== "connected") return true;
      takeStatus(status);
      if (currentFingerprint(status) !== lastFingerprint) return true;
      const work = workOf(status);
      // A sync that has changed no object may have changed an entry of the details panel, for example its last error.
      if (work !== lastWork) loadSyncLists(status).catch(fail);
      lastWork = work;
      return false;
    },
    /** Reads more entries of a list of the details panel. */
    async listMore(name) {
      const { entryPages, status } = state.values;
      state.update({ entryPages: { ...entryPages, [name]: (entryPages[name] ?? 1) + 1 } });
      try {
        await loadSyncLists(status);
      } catch (error) {
        fail(error);
      }
    },
    /** Shows the resolved conflicts and reads them, or hides them. */
    async showResolved(resolvedOpen) {
      state.update({ resolvedOpen });
      try {
        if (resolvedOpen && state.values.status) await loadSyncLists(state.values.status);
      } catch (error) {
        fail(error);
      }
    },
    /** Changes how a class is shown, remembers it, and reads the class's list if it is another one. */
    changeTable(className, patch) {
      keep(withTable(state.values.remembered, className, patch));
      setTable(className, patch);
      if (!lists.isCurrent(className)) return open(className);
    },
    /** Remembers a choice of the user: the open details panel, or single keys as commands. */
    remember: (patch) => keep({ ...state.values.remembered, ...patch }),
    /** Chooses how tables show times, and reads the list of a filter or a search whose days depend on it. */
    chooseTimes(times) {
      keep({ ...state.values.remembered, times });
      const { className } = state.values;
      if (state.values.search !== "" || hasPeriod(tableOf(state.values, className).where)) return open(className);
    },
    /** Shows the changes of other clients that were held back. */
    showHeld(className) {
      lists.release();
      return open(className);
    },
    /** Reads an object again into its row, after the user has changed it in the row. Other rows stay in their places. */
    async readRow(className, objectId) {
      const object = await api.read(className, objectId);
      names.learn(className, [object]);
      lists.patch(className, object);
    },
    /** Reads the missing rows of the shown table. A failed request updates `connection`. */
    needRows: (className, first, last) => lists.need(className, first, last).catch(fail),
    /** Shows more objects of an almanac, `"earlier"` or `"later"` ones. */
    showMore: (className, side) => lists.showMore(className, side).catch(fail),
    patchRow: lists.patch,
    holdWhile: lists.holdWhile,
    release: lists.release,
    stop: lists.stop,
    feedPosition: feed.position,
    forgetTypes: types.forget,
    takeFields: types.replace,
    know: types.know,
    knowAll: types.knowAll,
    pointerPaths: types.pointerPaths,
    learn: types.learn,
    /** Forgets the position in the change feed and the last sync status, so that the next poll reads everything again. */
    forgetAll() {
      feed.reset();
      namesRequested.clear();
      types.forgetAll();
      lastFingerprint = "";
    },
  };
}
