// The known fields of each class with their types, learned from a replica and from the values of loaded objects.

import { ApiError } from "./api.js";
import { commonFields, typesOf } from "./field-types.js";
import { pathsMax, pointerPaths, textPaths } from "./inner-paths.js";
import { record, ownValue, withEntry } from "./records.js";

/** The number of objects from which the fields of a class that is not shown are learned. */
const sampleMax = 20;

export function createClassTypes(api, state) {
  const asked = new Set();
  const sampled = new Set();
  /** The classes whose fields in use the page has asked for. */
  const completed = new Set();
  /** The running read of the fields of all classes. */
  let reading = null;
  /** The known paths of texts, and of pointers with their classes, inside of objects: for each class name a map. */
  const paths = new Map();
  const pointers = new Map();

  function take(className, types) {
    const before = state.values.types.get(className);
    const hasChanges = Object.keys(types).some((name) => ownValue(before, name)?.type !== types[name].type);
    if (hasChanges) state.update({ types: withEntry(state.values.types, className, record(before, types)) });
  }

  /**
   * Asks a replica for the fields of a synced class, once for each class. The first call asks for the fields of all classes. A
   * standalone gateway is not asked, because it shows schemas only to holders of the master key.
   */
  async function ask(className) {
    const { status } = state.values;
    const isKnown = status?.mode === "replica" && status.classes.some(({ name }) => name === className);
    if (!isKnown || asked.has(className)) return;
    if (reading !== null || asked.size === 0) {
      reading ??= askForAll().finally(() => void (reading = null));
      await reading;
      if (asked.has(className)) return;
    }
    asked.add(className);
    try {
      takeInfo(await api.classInfo(className));
    } catch (error) {
      if (error instanceof ApiError && !error.isLocked) return;
      asked.delete(className);
      throw error;
    }
  }

  async function askForAll() {
    try {
      for (const info of await api.classInfos()) takeInfo(info);
    } catch (error) {
      if (!(error instanceof ApiError) || error.isLocked) throw error;
    }
  }

  function takeInfo({ name, fields }) {
    asked.add(name);
    take(name, fields ?? {});
  }

  /** Adds entries to the map of a class, up to a maximum number. */
  function keep(maps, className, entries) {
    const known = maps.get(className) ?? new Map();
    for (const [key, value] of entries) if (known.size < pathsMax) known.set(key, value);
    maps.set(className, known);
  }

  function learn(className, objects) {
    take(className, record(typesOf(objects), state.values.types.get(className)));
    const types = state.values.types.get(className) ?? {};
    keep(paths, className, textPaths(objects, types).map((path) => [path, path]));
    keep(pointers, className, pointerPaths(objects, types).map((found) => [`${found.path} ${found.targetClass}`, found]));
  }

  /**
   * Asks the gateway for the fields of all objects of a class, once for each class. Fields that few objects have are not among the
   * loaded rows. Resolves to whether the page has learned a field.
   */
  async function complete(className) {
    if (completed.has(className)) return false;
    completed.add(className);
    try {
      const fields = await api.fieldsInUse(className);
      const before = state.values.types.get(className);
      take(className, record(fields, before));
      return Object.keys(fields).some((name) => !commonFields.includes(name) && ownValue(before, name) === undefined);
    } catch (error) {
      if (!(error instanceof ApiError)) completed.delete(className);
      return false;
    }
  }

  /**
   * Does the same as `know` for several classes, with few requests. Resolves to the ApiErrors of the classes that cannot be read.
   *
   * @param isKnown `(className)`: whether the fields in the gateway's schema are enough
   */
  async function knowAll(classNames, isKnown = () => false) {
    for (const className of classNames) await ask(className);
    const hasRows = (className) => state.values.lists.get(className)?.objects.length > 0;
    const unknown = classNames.filter((className) => !sampled.has(className) && !hasRows(className) && !isKnown(className));
    if (unknown.length === 0) return [];
    const found = await api.findMany(unknown.map((className) => ({ className, order: "-updatedAt", limit: sampleMax })));
    const isAnswer = (objects) => !(objects instanceof ApiError);
    unknown.forEach((className, at) => {
      if (!isAnswer(found[at])) return;
      learn(className, found[at]);
      sampled.add(className);
    });
    return found.filter((objects) => !isAnswer(objects));
  }

  return {
    /** Derives the types of unknown fields from the values of objects. Known types stay unchanged. */
    learn,
    ask,
    complete,
    /** Whether the page has asked for the fields of all objects of a class. */
    isComplete: (className) => completed.has(className),
    /** Takes the fields of a class from its schema, in place of those that the page has derived from objects. */
    replace(className, fields) {
      const own = Object.entries(fields).filter(([name]) => !commonFields.includes(name));
      state.update({ types: withEntry(state.values.types, className, record(...own.map(([name, type]) => record({ [name]: type })))) });
    },
    /** The known paths of texts inside of the objects of a class, such as `address.city`. */
    textPaths: (className) => [...(paths.get(className)?.values() ?? [])],
    /** The known paths of pointers inside of the objects of a class, such as `address.owner`: [{path, targetClass}]. */
    pointerPaths: (className) => [...(pointers.get(className)?.values() ?? [])],
    /**
     * Resolves when the page knows the fields of a class that it has not shown: from the gateway, whose schema may be older than the
     * fields, and once from a sample of objects.
     */
    async know(className) {
      const [error] = await knowAll([className]);
      if (error) throw error;
    },
    knowAll,
    /** Forgets the read schemas and sampled fields. Called when the user of the page changes. */
    forgetAll() {
      asked.clear();
      sampled.clear();
      completed.clear();
      paths.clear();
      pointers.clear();
    },
    /** Makes the next call of `ask` request the fields of the class again. */
    forget: (className) => asked.delete(className),
  };
}
