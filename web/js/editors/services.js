// The gateway functions that editors use: uploads of files, and the objects to which pointers can point.

import { containing } from "../filters/pattern.js";

/**
 * @param names the store of object names, to which `suggest` adds the names of the suggested objects
 * @param fileBytesMax returns the maximum size of a file in bytes; null if unknown
 * @param captions the caption fields of the classes
 * @param know `(className)`: resolves when the page knows the field types of a class
 * @param typesOf `(className)`: the known field types of a class
 * @param hasNoObjects `(className)`: whether the page knows that no object of a class is here
 * @param classNames returns the names of the classes that pointers can point to
 * @param relationsTo `(className)`: resolves to the relations whose members are of a class, as [{className, field}]
 */
export function createServices(api, { names, fileBytesMax, captions, know, typesOf, relationsTo, hasNoObjects, classNames }) {
  return {
    classNames,
    upload: api.upload,
    fileBytesMax,
    relationsTo,
    typesOf,
    /** Resolves to the field types of a class. A class that cannot be read has none. */
    async fieldTypes(className) {
      await know(className).catch(() => {});
      return typesOf(className);
    },
    /**
     * Resolves to at most `limit` objects of a class whose caption contains a text, as [{objectId, words}], sorted by caption
     * (`words`). Without a text, resolves to the most recently changed objects.
     */
    async suggest(className, text, limit) {
      if (hasNoObjects(className)) return [];
      await know(className);
      const field = captions.of(className) ?? "name";
      const where = text === "" ? null : { $or: [{ [field]: containing(text) }, { objectId: text }] };
      const objects = await api.findCaptions(className, { where, keys: names.keysOf(className), limit });
      names.learn(className, objects);
      return objects
        .map(({ objectId }) => ({ objectId, words: names.of(className, objectId) }))
        .sort((one, other) => one.words.localeCompare(other.words));
    },
    /** Resolves to one page of the members of a relation, in the order of their captions: {objects: [{objectId, words}], count}. */
    async members({ className, objectId }, key, targetClass, { skip, limit }) {
      await know(targetClass);
      const where = { $relatedTo: { object: { __type: "Pointer", className, objectId }, key } };
      const order = captions.of(targetClass) ?? "createdAt";
      const { results, count } = await api.findPage(targetClass, { where, order, skip, limit });
      names.learn(targetClass, results);
      return { objects: results.map((object) => ({ objectId: object.objectId, words: names.of(targetClass, object.objectId) })), count };
    },
    /** Resolves to an object as {objectId, words}; null if the gateway has no such object that the user may read. */
    async lookUp(className, objectId) {
      if (hasNoObjects(className)) return null;
      try {
        const object = await api.read(className, objectId);
        await know(className);
        names.learn(className, [object]);
        return { objectId, words: names.of(className, object.objectId) };
      } catch (error) {
        if (error.isGone) return null;
        throw error;
      }
    },
  };
}
