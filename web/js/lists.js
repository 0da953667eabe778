// Reads the lists of objects into the state: windows of rows for a table, the days around today for an almanac, and whole lists for
// the views of the sample classes.

import { createAlmanacReader, spanStep } from "./almanac-reader.js";
import { ApiError } from "./api.js";
import { createClassSearch } from "./class-search.js";
import { today } from "./dates.js";
import { commonFields } from "./field-types.js";
import { allOf } from "./filters/filter.js";
import { withDates } from "./filters/periods.js";
import { createRowReader, withKept } from "./grid/row-reader.js";
import { indexOf, loadedRows, withChunk } from "./grid/row-window.js";
import { presentationOf, readingOf } from "./presentations.js";
import { withEntry, withoutEntry } from "./records.js";
import { tableOf } from "./tables.js";
import { isEqual } from "./values.js";

/** The maximum number of objects that the page requests at once. */
export const objectsMax = 1000;
/** The number of objects from which the page learns the field types of a class before it searches in it. */
const sampleSize = 50;
/** The time in milliseconds after which the page asks for the fields of all objects of a shown class. The first rows come before. */
const completeMs = 2_000;

/** @param types learns and knows the field types of classes */
export function createLists({ api, state, names, types }) {
  const searchOf = createClassSearch({ state, types, captionField: names.captionField });
  const requestNumbers = new Map();
  /** The AbortController of the latest read of each class. */
  const reads = new Map();
  const rows = createRowReader(api);
  const readSpan = createAlmanacReader(api);
  /** How many objects each almanac shows: a map from class name to {earlier, later}. */
  const spans = new Map();
  const readers = { rows: readRows, days: readDays, all: readAll };
  /** Whether the rows of the shown table stay where they are when other clients change objects. */
  let isHeld = () => false;
  /** Whether the next list is shown as it is, because the user has asked for it or has changed an object. */
  let isReleased = false;

  /** Reads the list of a class into the state. The page shows the previous list until the new list arrives. */
  async function load(className) {
    const before = state.values.lists.get(className);
    const requestNumber = (requestNumbers.get(className) ?? 0) + 1;
    requestNumbers.set(className, requestNumber);
    // Responses may arrive out of order. Only the response to the latest request for a class changes the list of the class. Names
    // and field types are read from every response.
    const isLatest = () => requestNumbers.get(className) === requestNumber;
    const query = queryOf(state.values, className);
    const { signal } = newRead(className);
    if (!before || before.phase === "stopped") setList(className, { phase: "loading", objects: [], total: 0, ...query });
    try {
      await types.ask(className);
      const { reading, order } = queryOf(state.values, className);
      const list = await readers[reading](className, { ...query, order, span: spans.get(className), signal });
      learn(className, list.objects);
      // The learned types can show that the class has no almanac, or by which date the almanac is sorted.
      const now = queryOf(state.values, className);
      if (isLatest() && (now.reading !== reading || (reading !== "rows" && now.order !== order))) return load(className);
      if (isLatest()) await take(className, list, query);
      if (query.search !== "") completeTypes(className);
      else if (!types.isComplete(className) && (list.objects.length < list.total || query.where !== null)) setTimeout(() => completeTypes(className), completeMs);
    } catch (error) {
      const isAnswer = error instanceof ApiError && !error.isLocked;
      if (isAnswer && !isLatest()) return;
      if (isAnswer) return setList(className, { phase: "failed", objects: [], total: 0, ...query, message: error.message });
      if (!before && isLatest()) forget(className);
      throw error;
    }
  }

  /** Learns the fields that the loaded rows lack. A shown search then also looks through them. */
  async function completeTypes(className) {
    if (className !== state.values.className) return;
    const hasLearned = await types.complete(className);
    if (!hasLearned || className !== state.values.className || queryOf(state.values, className).search === "") return;
    // The next poll tells that the gateway cannot be reached.
    await load(className).catch(() => {});
  }

  /** Shows a list. If the rows of a shown table are held, shows the new values in their old places instead. */
  async function take(className, list, query) {
    const shown = state.values.lists.get(className);
    const isShown = shown?.phase === "ready" && shown.chunks && list.chunks && isRead(shown, query);
    const mayHold = isShown && !isReleased && className === state.values.className && isHeld();
    isReleased = false;
    const kept = isShown ? withKept(list, shown) : list;
    const held = mayHold ? await rows.inPlace(className, shown, kept) : null;
    setList(className, { phase: "ready", ...(held ?? kept) });
  }

  function newRead(className) {
    const read = new AbortController();
    reads.set(className, read);
    return read;
  }

  /** Stops the running read of a class. The list then says that it was stopped. */
  function stop(className) {
    requestNumbers.set(className, (requestNumbers.get(className) ?? 0) + 1);
    reads.get(className)?.abort();
    setList(className, { phase: "stopped", objects: [], total: 0, ...queryOf(state.values, className) });
  }

  /** Resolves to all objects that match a filter. The page itself searches them. */
  async function readAll(className, { where, order, signal }) {
    const objects = await api.find(className, { where: withDates(where, state.values.remembered.times), order, limit: objectsMax, signal });
    return { objects, total: objects.length, search: "", where, order, reading: "all" };
  }

  /** Resolves to the objects around today among the matches of a search text and a filter. */
  async function readDays(className, { search, where, order, span, signal }) {
    const { conditions, searched } = await conditionsOf(className, { search, where, order, signal });
    const list = await readSpan(className, { where: conditions, order, day: today(), span, signal });
    return { ...list, search, searched, where, order, reading: "days" };
  }

  /** Resolves to the rows around a place in the list of the matches of a search text and a filter. */
  async function readRows(className, { search, where, order, at, signal }) {
    const { conditions, searched } = await conditionsOf(className, { search, where, order, signal });
    const list = await rows.read(className, { where: conditions, order, at, signal });
    return { ...list, search, searched, where, order, conditions, reading: "rows" };
  }

  /** Resolves to the conditions of a search text and a filter, and the text about the searched fields. */
  async function conditionsOf(className, { search, where, order, signal }) {
    // A search needs the types of the fields. After a reload, a sign-in or a sign-out they are unknown.
    if (search !== "" && Object.keys(state.values.types.get(className) ?? {}).every((name) => commonFields.includes(name))) {
      types.learn(className, await api.find(className, { order, limit: sampleSize, signal }));
    }
    const found = await searchOf(className, search);
    return { conditions: allOf(withDates(where, state.values.remembered.times), found.where), searched: found.searched };
  }

  /** Reads the missing rows from `first` to `last` of the shown table. */
  async function need(className, first, last) {
    const list = state.values.lists.get(className);
    if (list?.phase !== "ready" || !list.chunks) return;
    await rows.need(className, list, first, last, (number, read) => {
      const now = state.values.lists.get(className);
      // The list may have been read again meanwhile.
      if (now?.version !== list.version) return null;
      learn(className, read);
      const chunks = withChunk(now.chunks, number, read);
      setList(className, { ...now, chunks, objects: loadedRows(chunks) });
      return chunks;
    });
  }

  /** Replaces an object in its row of the shown list. */
  function patch(className, object) {
    const list = state.values.lists.get(className);
    if (!list || list.phase !== "ready") return;
    const replaced = (all) => all.map((row) => (row.objectId === object.objectId ? object : row));
    const chunks = list.chunks && new Map([...list.chunks].map(([number, all]) => [number, replaced(all)]));
    if (list.chunks && indexOf(list, object.objectId) < 0) return;
    setList(className, { ...list, objects: replaced(list.objects), chunks });
  }

  function learn(className, objects) {
    names.learn(className, objects);
    types.learn(className, objects);
  }

  function setList(className, list) {
    state.update({ lists: withEntry(state.values.lists, className, list) });
  }

  /** Shows more objects of an almanac, `"earlier"` or `"later"` ones. */
  async function showMore(className, side) {
    const { span } = state.values.lists.get(className) ?? {};
    if (!span) return;
    spans.set(className, { ...span, [side]: span[side] + spanStep });
    await load(className);
  }

  function forget(className) {
    spans.delete(className);
    state.update({ lists: withoutEntry(state.values.lists, className) });
  }

  return {
    load,
    need,
    showMore,
    patch,
    forget,
    stop,
    /** Whether the state has the list that the page is to show. */
    isCurrent: (className) => {
      const list = state.values.lists.get(className);
      return list !== undefined && isRead(list, queryOf(state.values, className));
    },
    /** Sets the function that tells whether the rows of the shown table stay in their places. */
    holdWhile(test) {
      isHeld = test;
    },
    /** Makes the next list appear as it is, because the user has asked for it. */
    release() {
      isReleased = true;
    },
  };
}

/** Whether a list has the answer to a query. */
function isRead(list, { search, where, order, reading }) {
  if (!isEqual(list.where, where) || list.reading !== reading) return false;
  return reading === "all" || (list.search === search && list.order === order);
}

/** The search text, filter, sort order and place for reading the list of a class. Only the shown class has a search text. */
function queryOf(values, className) {
  const presentation = presentationOf(values, className);
  const reading = readingOf(presentation);
  const table = tableOf(values, className);
  const search = className === values.className ? values.search : "";
  const order = reading === "rows" ? (table.order ?? presentation.order) : presentation.order;
  return { search, where: table.where, at: table.at, order, reading };
}

/** Whether a loaded list still shows the results of an earlier search text or filter, because the gateway is searching. */
export function isSearching(values, list) {
  const { className, search } = values;
  if (list.phase === "loading") return false;
  const isOtherSearch = readingOf(presentationOf(values, className)) !== "all" && list.search !== search;
  return isOtherSearch || !isEqual(list.where ?? null, tableOf(values, className).where);
}

/** Whether the shown class has a filter. */
export function isFiltered(values) {
  return tableOf(values, values.className).where !== null;
}
