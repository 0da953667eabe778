// The objects that the page itself has written. A table does not announce their changes as those of others.

import { isEqual, userFields } from "./values.js";

/** The maximum number of objects that are remembered. */
const storedMax = 5_000;

export function createOwnWrites() {
  /**
   * By "class/id", the last write of the object: {isDeleted, fields, ended, before}. `fields` is null until the object is seen for the
   * first time after its write. `ended` is the number of the write among those that have ended, infinite while the write is running.
   * `before` is the earlier write of the object, which counts again if the gateway refuses this one; undefined for none.
   */
  const written = new Map();
  let endedCount = 0;

  const requestsOf = (method, path, body) => (path === "batch" ? body.requests : [{ method, path }]);

  /** The existing objects that a request writes, as [key, method]. */
  function targets(...request) {
    return requestsOf(...request).flatMap(({ method, path }) => {
      const [, key] = /(?:^|\/)classes\/([^/?]+\/[^/?]+)$/.exec(path) ?? [];
      return !["PUT", "DELETE"].includes(method) || key === undefined ? [] : [[decodeURIComponent(key), method]];
    });
  }

  /** The keys of the objects that a request has created, by its answer. */
  function createdBy([method, path, body], answer) {
    if (method !== "POST") return [];
    const answers = path === "batch" ? answer.map(({ success }) => success) : [answer];
    return requestsOf(method, path, body).flatMap((request, index) => {
      const [, className] = /(?:^|\/)classes\/([^/?]+)$/.exec(request.path) ?? [];
      const objectId = answers[index]?.objectId;
      return request.method === "POST" && className !== undefined && objectId ? [`${decodeURIComponent(className)}/${objectId}`] : [];
    });
  }

  function remember(key, isDeleted) {
    const entry = { isDeleted, fields: null, ended: Infinity, before: written.get(key), isRefused: false };
    written.set(key, entry);
    for (const oldest of written.keys()) {
      if (written.size <= storedMax) break;
      written.delete(oldest);
    }
    return { key, entry };
  }

  /** The functions that tell how a write of the remembered objects has ended. */
  function endOf(started, createdOf = () => []) {
    const end = (all) => {
      if (all.length > 0) endedCount += 1;
      for (const { entry } of all) {
        entry.ended = endedCount;
        entry.before = undefined;
      }
    };
    return {
      /** The gateway has answered with success. */
      succeeded: (answer) => end([...started, ...createdOf(answer).map((key) => remember(key, false))]),
      /** The gateway has refused the request. */
      refused() {
        for (const { key, entry } of started) {
          entry.isRefused = true;
          let last = written.get(key);
          while (last?.isRefused) last = last.before;
          if (last === undefined) written.delete(key);
          else written.set(key, last);
        }
      },
      /** No answer has come. The gateway may have carried out the request. */
      unknown: () => end(started),
    };
  }

  return {
    /** Remembers the existing objects that a request writes. Its end is told by one of the functions of the result. */
    start(...request) {
      const started = targets(...request).map(([key, method]) => remember(key, method === "DELETE"));
      return endOf(started, (answer) => createdBy(request, answer));
    },
    /** Remembers the object of a pending change that the page undoes, as `start` does. */
    startUndo({ className, objectId, kind }) {
      return endOf([remember(`${className}/${objectId}`, kind === "create")]);
    },
    /** The number of writes that have ended: a time for `isOwn`. */
    endedCount: () => endedCount,
    /**
     * Whether an object has the fields that it had after a write of the page. A sync may have changed its times and its state.
     *
     * @param readAt the `endedCount` when the read of the object began. An object that was read before its write ended may have the
     * fields of before, so it is an own one with any fields.
     */
    isOwn(className, object, readAt) {
      const entry = written.get(`${className}/${object.objectId}`);
      if (entry === undefined) return false;
      if (readAt < entry.ended) return true;
      entry.fields ??= userFields(object);
      return isEqual(entry.fields, userFields(object));
    },
    /** Whether the page has deleted an object. */
    isOwnDeletion: (className, objectId) => written.get(`${className}/${objectId}`)?.isDeleted === true,
  };
}
