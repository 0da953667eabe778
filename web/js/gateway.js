// Keeps the page's state in step with the gateway: status, lists, and what waits. The heartbeat calls `look`, and the
// gateway's events do.

import { ApiError, UnreachableError } from "./api.js";
import { createClassTypes } from "./class-types.js";
import { createFeed } from "./feed.js";
import { withStatus } from "./history.js";
import { presentationOf } from "./presentations.js";
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
      for (const className of new Set([...Object.keys(state.values.lists), state.values.className])) {
        const isShown = className === state.values.className;
        const isMissing = !state.values.lists[className];
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
    state.update({ status, connection: "connected", history: withStatus(state.values.history, status) });
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
    const before = state.values.lists[className];
    const turn = (turns.get(className) ?? 0) + 1;
    turns.set(className, turn);
    if (!before) setList(className, { phase: "loading", objects: [], total: 0, search: "" });
    try {
      await types.ask(className);
      const list = await (presentationOf(className).isPaged ? readPage(className) : readAll(className));
      names.learn(className, list.objects);
      types.learn(className, list.objects);
      // Answers may overtake each other; only the one asked for last counts.
      if (turns.get(className) !== turn) return;
      setList(className, { phase: "ready", ...list });
    } catch (error) {
      const isAnswer = error instanceof ApiError && !error.isLocked;
      if (isAnswer) return setList(className, { phase: "failed", objects: [], total: 0, message: error.message });
      if (!before) forget(className);
      throw error;
    }
  }

  async function readAll(className) {
    const objects = await api.find(className, { order: presentationOf(className).order, limit: objectsMax });
    return { objects, total: objects.length, search: "" };
  }

  async function readPage(className) {
    const { search } = state.values;
    const where = searchQuery(search, state.values.types[className] ?? {});
    const { order, page } = tableOf(state.values, className);
    const { results, count } = await api.findPage(className, { where, order, skip: page * pageSize, limit: pageSize });
    // Objects may have gone since the page was turned to.
    const last = Math.max(0, Math.ceil(count / pageSize) - 1);
    if (page > last) {
      setTable(className, { page: last });
      return readPage(className);
    }
    return { objects: results, total: count, search };
  }

  function setTable(className, patch) {
    const table = { ...tableOf(state.values, className), ...patch };
    state.update({ tables: { ...state.values.tables, [className]: table } });
  }

  function setList(className, list) {
    state.update({ lists: { ...state.values.lists, [className]: list } });
  }

  function forget(className) {
    const { [className]: _, ...lists } = state.values.lists;
    state.update({ lists });
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
    for (const { className, objectId, ...sides } of [...conflicts, ...settled]) {
      // What is known already is newer than what a conflict has kept.
      if (!names.has(className, objectId)) names.learn(className, [sides.base, sides.remote, sides.local].filter(Boolean));
    }
    await learnNames([...pending, ...rejections, ...removals]);
    state.update({ pending, rejections, conflicts, removals, settled });
  }

  /** Reads the names of what waits in classes that are not shown: once, for what was deleted has none. */
  async function learnNames(items) {
    const classNames = new Set();
    for (const { className, objectId, objectIds = [objectId] } of items) {
      for (const id of objectIds) {
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
      await load(className);
    } catch (error) {
      fail(error);
    }
  }

  return {
    look,
    open,
    /** What the gateway tells by itself. Returns whether there is more to read. */
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
  return tables[className] ?? { order: presentationOf(className).order, page: 0 };
}

/** What of the status, when it changes, may have changed rows and waiting changes with it. */
function markOf({ state, pending, rejections, conflicts, removals, lastSyncAt, lastError, initialSyncComplete }) {
  const counts = [pending, rejections, conflicts, removals];
  return JSON.stringify([state, counts, lastSyncAt, lastError?.message, initialSyncComplete]);
}
