// What editors need of the gateway: keeping files, and the objects that a pointer may point to.

/**
 * @param names learns the names of the offered objects
 * @param fileBytesMax tells how large a file may be; null where that is not known
 */
export function createServices(api, names, fileBytesMax) {
  return {
    upload: api.upload,
    fileBytesMax,
    /** Objects of a class with the words that a person knows them by, in the order of these. */
    async offers(className, limit) {
      const objects = await api.findNames(className, limit);
      names.learn(className, objects);
      const offers = objects.map(({ objectId }) => ({ objectId, words: names.of(className, objectId) }));
      return offers.sort((one, other) => one.words.localeCompare(other.words));
    },
  };
}
