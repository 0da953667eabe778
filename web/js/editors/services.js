// The gateway functions that editors use: uploads of files, and the objects to which pointers can point.

/**
 * @param names the store of object names, to which `suggest` adds the names of the suggested objects
 * @param fileBytesMax returns the maximum size of a file in bytes; null if unknown
 */
export function createServices(api, names, fileBytesMax) {
  return {
    upload: api.upload,
    fileBytesMax,
    /** Resolves to the `limit` most recently changed objects of a class, as [{objectId, words}], sorted by name (`words`). */
    async suggest(className, limit) {
      const objects = await api.findNames(className, limit);
      names.learn(className, objects);
      const suggestions = objects.map(({ objectId }) => ({ objectId, words: names.of(className, objectId) }));
      return suggestions.sort((one, other) => one.words.localeCompare(other.words));
    },
    /** Resolves to whether the gateway has an object that the user may read. */
    async isThere(className, objectId) {
      try {
        return Boolean(await api.read(className, objectId));
      } catch (error) {
        if (error.isGone) return false;
        throw error;
      }
    },
  };
}
