// Keeps the state of the page up to date: sync status, lists of objects, pending changes and open decisions. The poller calls
// `poll` at regular intervals, and after changes that the gateway's events report.

import { ApiError, SupersededError, UnreachableError } from "./api.js";
import { createClassTypes } from "./class-types.js";
import { createFeed } from "./change-feed.js";
import { readEntries, readResolved } from "./entries.js";
import { commonFields } from "./field-types.js";
import { withStatus } from "./history.js";
import { withEntry, withoutEntry } from "./records.js";
import { firstClass, presentationOf } from "./presentations.js";
import { storeRemembered, withTable } from "./remembered.js";
import { bothConditions, searchQuery } from "./search-query.js";
import { fingerprintOf, hasMoved, workOf } from "./status-fingerprint.js";
import { tableOf } from "./tables.js";
import { showsUsers, withUsers } from "./users.js";
import { isEqual } from "./values.js";

/** The maximum number of objects that the page requests at once. */
export const objectsMax = 1000;
/** The number of rows per table page. */
export const pageSize = 50;

export function createGateway(api, state, names) {
  const feed = createFeed(api);
  const types = createClassTypes(api, state);
  const requestNumbers = new Map();
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
      // Reads the shown list again if it is outdated, and forgets the other outdated lists. A changed sync status makes all lists
      // outdated, because an object's badge can change without a change of the object.
      for (const className of new Set([...state.values.lists.keys(), state.values.className])) {
        if (className === null) continue;
        const isShown = className === state.values.className;
        const isMissing = !state.values.lists.has(className);
        const isStale = isMissing || changes.all || changes.classNames.has(className) || fingerprint !== lastFingerprint;
        if (isStale && isShown) await load(className);
        else if (isStale) forget(className);
      }
      await loadSyncLists(status);
      lastFingerprint = fingerprint;
      lastWork = work;
    } catch (error) {
      fail(error);
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
    if (error instanceof SupersededError) return;
    if (error instanceof ApiError && error.isLocked) return state.update({ connection: "locked" });
    if (error instanceof UnreachableError) {
      feed.reset();
      return state.update({ connection: "lost" });
    }
    if (!(error instanceof ApiError)) throw error;
    state.update({ connection: "connected" });
  }

  /** Reads the list of a class into the state. The page shows the previous list until the new list arrives. */
  async function load(className) {
    const before = state.values.lists.get(className);
    const requestNumber = (requestNumbers.get(className) ?? 0) + 1;
    requestNumbers.set(className, requestNumber);
    // Responses may arrive out of order. Only the response to the latest request for a class changes the list of the class. Names
    // and field types are read from every response.
    const isLatest = () => requestNumbers.get(className) === requestNumber;
    const query = queryOf(state.values, className);
    if (!before) setList(className, { phase: "loading", objects: [], total: 0, ...query });
    try {
      await types.ask(className);
      const { isPaged, order } = presentationOf(state.values, className);
      const list = await (isPaged ? readPage(className, query, isLatest) : readAll(className, { ...query, order }));
      names.learn(className, list.objects);
      types.learn(className, list.objects);
      // The learned types can show that the class has no almanac, or by which date the almanac is sorted.
      const now = presentationOf(state.values, className);
      if (isLatest() && (now.isPaged !== isPaged || (!isPaged && now.order !== order))) return load(className);
      if (isLatest()) setList(className, { phase: "ready", ...list });
    } catch (error) {
      const isAnswer = error instanceof ApiError && !error.isLocked;
      if (isAnswer && !isLatest()) return;
      if (isAnswer) return setList(className, { phase: "failed", objects: [], total: 0, ...query, message: error.message });
      if (!before && isLatest()) forget(className);
      throw error;
    }
  }

  async function readAll(className, { where, order }) {
    const objects = await api.find(className, { where, order, limit: objectsMax });
    return { objects, total: objects.length, search: "", where, isWhole: true };
  }

  async function readPage(className, { search, where: filter, order, at }, isLatest) {
    const page = Math.floor(at / pageSize);
    // A search needs the types of the fields. After a reload, a sign-in or a sign-out they are unknown.
    if (search !== "" && Object.keys(state.values.types.get(className) ?? {}).every((name) => commonFields.includes(name))) {
      types.learn(className, await api.find(className, { order, limit: pageSize }));
    }
    const where = bothConditions(filter, searchQuery(search, state.values.types.get(className) ?? {}));
    const { results, count } = await api.findPage(className, { where, order, skip: page * pageSize, limit: pageSize });
    // If objects were deleted, the requested page may lie beyond the last page.
    const last = Math.max(0, Math.ceil(count / pageSize) - 1);
    if (page > last && isLatest()) {
      setTable(className, { at: last * pageSize });
      return readPage(className, { search, where: filter, order, at: last * pageSize }, isLatest);
    }
    return { objects: results, total: count, search, where: filter, order, page };
  }

  function setTable(className, patch) {
    const table = { ...state.values.tables.get(className), ...patch };
    state.update({ tables: withEntry(state.values.tables, className, table) });
  }

  function setList(className, list) {
    state.update({ lists: withEntry(state.values.lists, className, list) });
  }

  function forget(className) {
    state.update({ lists: withoutEntry(state.values.lists, className) });
  }

  async function loadSyncLists(status) {
    if (status.mode !== "replica") return;
    const read = (count, list) => (count > 0 ? readEntries(list, state.values) : []);
    const [pending, rejections, conflicts, removals, resolved] = await Promise.all([
      read(status.pending, api.pending),
      read(status.rejections, api.rejections),
      read(status.conflicts, api.conflicts),
      read(status.removals, api.removals),
      state.values.resolvedOpen ? readResolved(api.resolvedConflicts, state.values) : [],
    ]);
    for (const { className, objectId, ...sides } of [...pending, ...rejections, ...conflicts, ...resolved]) {
      // The name in a change or conflict may be outdated, so it does not replace a known name.
      const known = [sides.operations, sides.base, sides.remote, sides.local].filter(Boolean).map((object) => ({ ...object, objectId }));
      if (!names.has(className, objectId)) names.learn(className, known);
    }
    await learnNames([...pending, ...rejections, ...removals]);
    state.update({ pending, rejections, conflicts, removals, resolved });
  }

  /**
   * Reads the names of objects whose name is unknown. Each object is looked up only once, because some objects have no name.
   *
   * @param items pending changes, rejected changes and held removals
   */
  async function learnNames(items) {
    const classNames = new Set();
    for (const { className, objectId, objectIds = [objectId], olderIds = [] } of items) {
      for (const id of [...objectIds, ...olderIds]) {
        if (names.has(className, id) || namesRequested.has(`${className}/${id}`)) continue;
        namesRequested.add(`${className}/${id}`);
        classNames.add(className);
      }
    }
    for (const className of classNames) {
      names.learn(className, await api.findNames(className, objectsMax));
    }
  }

  /** Reads the list of a class into the state; does nothing for null. A failed request updates `phase` or `connection`. */
  async function open(className) {
    try {
      if (className !== null) await load(className);
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
      const list = state.values.lists.get(className);
      if (list && isRead(list, queryOf(state.values, className))) return;
      if (list && isOther) forget(className);
      if (state.values.status !== null) return open(className);
    },
    /** Copies an event's sync status into the state, if the page is connected. Returns whether the page has to poll. */
    receiveStatus(status) {
      if (state.values.connection !== "connected") return true;
      takeStatus(status);
      return currentFingerprint(status) !== lastFingerprint || workOf(status) !== lastWork;
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
    /** Changes how a class is shown, remembers it, and reads the class's list again. */
    changeTable(className, patch) {
      const remembered = withTable(state.values.remembered, className, patch);
      if (remembered !== state.values.remembered) storeRemembered(remembered);
      state.update({ remembered });
      setTable(className, patch);
      return open(className);
    },
    forgetTypes: types.forget,
    /** Forgets the position in the change feed and the last sync status, so that the next poll reads everything again. */
    forgetAll() {
      feed.reset();
      namesRequested.clear();
      lastFingerprint = "";
    },
  };
}

/** Whether a list has the answer to a query. */
function isRead(list, { search, where, order, at, isPaged }) {
  if (!isEqual(list.where, where) || list.isWhole === isPaged) return false;
  return !isPaged || list.search === search && list.order === order && list.page === Math.floor(at / pageSize);
}

/** The search text, filter, sort order and place for reading the list of a class. Only the shown class has a search text. */
function queryOf(values, className) {
  const { order, isPaged = false } = presentationOf(values, className);
  const table = tableOf(values, className);
  return { search: className === values.className ? values.search : "", where: table.where, at: table.at, order: table.order ?? order, isPaged };
}

/** Whether a loaded table still shows the results of an earlier search text or filter, because the gateway is searching. */
export function isSearching(values, list) {
  const { className, search } = values;
  if (list.phase === "loading" || presentationOf(values, className).isPaged !== true) return false;
  return list.search !== search || !isEqual(list.where ?? null, tableOf(values, className).where);
}
