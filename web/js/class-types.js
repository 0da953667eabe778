// The known fields of each class with their types, learned from a replica and from the values of loaded objects.

import { ApiError } from "./api.js";
import { typesOf } from "./field-types.js";
import { record, ownValue, withEntry } from "./records.js";

export function createClassTypes(api, state) {
  const asked = new Set();

  function take(className, types) {
    const before = state.values.types.get(className);
    const hasChanges = Object.keys(types).some((name) => ownValue(before, name)?.type !== types[name].type);
    if (hasChanges) state.update({ types: withEntry(state.values.types, className, record(before, types)) });
  }

  return {
    /** Derives the types of unknown fields from the values of objects. Known types stay unchanged. */
    learn(className, objects) {
      take(className, record(typesOf(objects), state.values.types.get(className)));
    },
    /**
     * Asks a replica for the fields of a synced class, once for each class. A standalone gateway is not asked, because it shows
     * schemas only to holders of the master key.
     */
    async ask(className) {
      const { status } = state.values;
      const isKnown = status?.mode === "replica" && status.classes.some(({ name }) => name === className);
      if (!isKnown || asked.has(className)) return;
      asked.add(className);
      try {
        const { fields } = await api.classInfo(className);
        take(className, fields ?? {});
      } catch (error) {
        if (error instanceof ApiError && !error.isLocked) return;
        asked.delete(className);
        throw error;
      }
    },
    /** Makes the next call of `ask` request the fields of the class again. */
    forget: (className) => asked.delete(className),
  };
}
