// What the page knows of the fields of each class: what the gateway says, and what the objects that it has seen show.

import { ApiError } from "./api.js";
import { typesOf } from "./field-types.js";
import { named, own, withEntry } from "./named.js";

export function createClassTypes(api, state) {
  const asked = new Set();

  function take(className, types) {
    const before = state.values.types.get(className);
    const isNews = Object.keys(types).some((name) => own(before, name)?.type !== types[name].type);
    if (isNews) state.update({ types: withEntry(state.values.types, className, named(before, types)) });
  }

  return {
    /** Learns from objects; what the gateway has said stands. */
    learn(className, objects) {
      take(className, named(typesOf(objects), state.values.types.get(className)));
    },
    /** Asks the gateway, once; a standalone one keeps its types for holders of its master key. */
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
    /** Asks again the next time: the class has just been registered. */
    forget: (className) => asked.delete(className),
  };
}
