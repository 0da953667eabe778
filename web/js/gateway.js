// Keeps the page's state in step with the gateway: status, lists, and what waits. The heartbeat calls `look`.

import { ApiError, UnreachableError } from "./api.js";
import { createFeed } from "./feed.js";
import { presentationOf } from "./presentations.js";

/** As many objects as one answer may hold. */
export const objectsMax = 1000;

export function createGateway(api, state, names) {
  const feed = createFeed(api);
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
      state.update({ status, connection: "connected" });
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
    if (!before) setList(className, { phase: "loading", objects: [] });
    try {
      const objects = await api.find(className, { order: presentationOf(className).order, limit: objectsMax });
      names.learn(className, objects);
      // Answers may overtake each other; only the one asked for last counts.
      if (turns.get(className) !== turn) return;
      setList(className, { phase: "ready", objects });
    } catch (error) {
      const isAnswer = error instanceof ApiError && !error.isLocked;
      if (isAnswer) return setList(className, { phase: "failed", objects: [], message: error.message });
      if (!before) forget(className);
      throw error;
    }
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
    for (const { className, ...sides } of [...conflicts, ...settled]) {
      names.learn(className, [sides.base, sides.remote, sides.local].filter(Boolean));
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
      names.learn(className, await api.find(className, { order: presentationOf(className).order, limit: objectsMax }));
    }
  }

  return {
    look,
    /** Shows or hides the conflicts that are no longer open. */
    async showSettled(settledOpen) {
      state.update({ settledOpen });
      try {
        if (settledOpen && state.values.status) await loadWaiting(state.values.status);
      } catch (error) {
        fail(error);
      }
    },
    /** Reads a class that is to be shown. */
    async open(className) {
      try {
        await load(className);
      } catch (error) {
        fail(error);
      }
    },
  };
}

/** What of the status, when it changes, may have changed rows and waiting changes with it. */
function markOf({ state, pending, rejections, conflicts, removals, lastSyncAt, lastError, initialSyncComplete }) {
  const counts = [pending, rejections, conflicts, removals];
  return JSON.stringify([state, counts, lastSyncAt, lastError?.message, initialSyncComplete]);
}
