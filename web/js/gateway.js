// Keeps the page's state in step with the gateway: status, lists, and what waits. The heartbeat calls `look`, and the
// gateway's events do.

import { ApiError, UnreachableError } from "./api.js";
import { createClassTypes } from "./class-types.js";
import { createFeed } from "./feed.js";
import { withStatus } from "./history.js";
import { withEntry, withoutEntry } from "./named.js";
import { firstClass, presentationOf } from "./presentations.js";
import { searchQuery } from "./search-query.js";

/** As many objects as one answer may hold. */
export const objectsMax = 1000;
/** How many rows a table has. */
export const pageSize = 50;

export function createGateway(api, state, names) {
  const feed = createFeed(api);
  const types = createClassTypes(api, state);
  const turns = new Map();
  const namesSought = new Set();
  let seen = "";

  /** Brings in what is new. Never throws: what went wrong is part of the state. */
  async function look() {
    try {
      const changes = await feed.next();
      const status = await api.syncStatus();
      const mark = markOf(status);
      const isNews = changes.all || changes.classNames.size > 0 || mark !== seen;
      takeStatus(status);
      if (!isNews) return;
      // A row's badge can change while its object does not, so another mark reads the shown list again as well.
      for (const className of new Set([...state.values.lists.keys(), state.values.className])) {
        if (className === null) continue;
        const isShown = className === state.values.className;
        const isMissing = !state.values.lists.has(className);
        const isStale = isMissing || changes.all || changes.classNames.has(className) || mark !== seen;
        if (isStale && isShown) await load(className);
        else if (isStale) forget(className);
      }
      await loadWaiting(status);
      seen = mark;
    } catch (error) {
      fail(error);
    }
  }

  function takeStatus(status) {
    const className = state.values.className ?? firstClass(status);
    if (className !== state.values.className) queueMicrotask(() => state.values.lists.has(className) || open(className));
    state.update({ status, className, connection: "connected", history: withStatus(state.values.history, status) });
  }

  function fail(error) {
    if (error instanceof ApiError && error.isLocked) return state.update({ connection: "locked" });
    if (error instanceof UnreachableError) {
      feed.reset();
      return state.update({ connection: "lost" });
    }
    if (!(error instanceof ApiError)) throw error;
    state.update({ connection: "connected" });
  }

  /** Reads a class, keeping the old list on the page until the new one is here. */
  async function load(className) {
    const before = state.values.lists.get(className);
    const turn = (turns.get(className) ?? 0) + 1;
    turns.set(className, turn);
    // Answers may overtake each other; only the one asked for last counts.
    const isLast = () => turns.get(className) === turn;
    const asked = askedOf(state.values, className);
    if (!before) setList(className, { phase: "loading", objects: [], total: 0, ...asked });
    try {
      await types.ask(className);
      const list = await (presentationOf(className).isPaged ? readPage(className, asked, isLast) : readAll(className));
      names.learn(className, list.objects);
      types.learn(className, list.objects);
      if (isLast()) setList(className, { phase: "ready", ...list });
    } catch (error) {
      const isAnswer = error instanceof ApiError && !error.isLocked;
      if (isAnswer && !isLast()) return;
      if (isAnswer) return setList(className, { phase: "failed", objects: [], total: 0, ...asked, message: error.message });
      if (!before && isLast()) forget(className);
      throw error;
    }
  }

  async function readAll(className) {
    const objects = await api.find(className, { order: presentationOf(className).order, limit: objectsMax });
    return { objects, total: objects.length, search: "" };
  }

  async function readPage(className, { search, order, page }, isLast) {
    const where = searchQuery(search, state.values.types.get(className) ?? {});
    const { results, count } = await api.findPage(className, { where, order, skip: page * pageSize, limit: pageSize });
    // Objects may have gone since the page was turned to.
    const last = Math.max(0, Math.ceil(count / pageSize) - 1);
    if (page > last && isLast()) {
      setTable(className, { page: last });
      return readPage(className, { search, order, page: last }, isLast);
    }
    return { objects: results, total: count, search, order, page };
  }

  function setTable(className, patch) {
    const table = { ...tableOf(state.values, className), ...patch };
    state.update({ tables: withEntry(state.values.tables, className, table) });
  }

  function setList(className, list) {
    state.update({ lists: withEntry(state.values.lists, className, list) });
  }

  function forget(className) {
    state.update({ lists: withoutEntry(state.values.lists, className) });
  }

  async function loadWaiting(status) {
    if (status.mode !== "replica") return;
    const read = (count, results) => (count > 0 ? results() : []);
    const [pending, rejections, conflicts, removals, settled] = await Promise.all([
      read(status.pending, api.pending),
      read(status.rejections, api.rejections),
      read(status.conflicts, api.conflicts),
      read(status.removals, api.removals),
      state.values.settledOpen ? api.settledConflicts() : [],
    ]);
    for (const { className, objectId, ...sides } of [...pending, ...conflicts, ...settled]) {
      // A name that is known already is newer than the one that a change or a conflict has kept.
      const known = [sides.base, sides.remote, sides.local].filter(Boolean).map((object) => ({ ...object, objectId }));
      if (!names.has(className, objectId)) names.learn(className, known);
    }
    await learnNames([...pending, ...rejections, ...removals]);
    state.update({ pending, rejections, conflicts, removals, settled });
  }

  /** Reads the names of waiting objects in classes that are not shown: once, since some objects have none. */
  async function learnNames(items) {
    const classNames = new Set();
    for (const { className, objectId, objectIds = [objectId], olderIds = [] } of items) {
      for (const id of [...objectIds, ...olderIds]) {
        if (names.has(className, id) || namesSought.has(`${className}/${id}`)) continue;
        namesSought.add(`${className}/${id}`);
        classNames.add(className);
      }
    }
    for (const className of classNames) {
      names.learn(className, await api.findNames(className, objectsMax));
    }
  }

  /** Reads a class that is to be shown. */
  async function open(className) {
    try {
      if (className !== null) await load(className);
    } catch (error) {
      fail(error);
    }
  }

  return {
    look,
    open,
    /** Shows another class, all of it: words that were searched for in it earlier are of no account now. */
    show(className) {
      state.update({ className, search: "" });
      if (state.values.lists.get(className)?.search) forget(className);
      if (!state.values.lists.has(className)) return open(className);
    },
    /** Takes the status that the gateway sends by itself. Returns whether there is more to read. */
    hear(status) {
      if (state.values.connection !== "connected") return true;
      takeStatus(status);
      return markOf(status) !== seen;
    },
    /** Shows or hides the conflicts that are no longer open. */
    async showSettled(settledOpen) {
      state.update({ settledOpen });
      try {
        if (settledOpen && state.values.status) await loadWaiting(state.values.status);
      } catch (error) {
        fail(error);
      }
    },
    /** Shows a table in another order, or another page of it. */
    turn(className, patch) {
      setTable(className, patch);
      return open(className);
    },
    forgetTypes: types.forget,
  };
}

/** How a class that is read page by page is shown. */
export function tableOf({ tables }, className) {
  return tables.get(className) ?? { order: presentationOf(className).order, page: 0 };
}

/** The query of a class: the words belong to the class that is shown. */
function askedOf(values, className) {
  return { search: className === values.className ? values.search : "", ...tableOf(values, className) };
}

/** Whether the list on the page is that of an earlier search, and the present one is on its way. */
export function isSearching({ className, search }, list) {
  return presentationOf(className).isPaged === true && list.phase !== "loading" && list.search !== search;
}

/** The part of the status whose change may mean changed rows and waiting changes. */
function markOf({ state, pending, rejections, conflicts, removals, lastSyncAt, lastError, initialSyncComplete }) {
  const counts = [pending, rejections, conflicts, removals];
  return JSON.stringify([state, counts, lastSyncAt, lastError?.message, initialSyncComplete]);
}
