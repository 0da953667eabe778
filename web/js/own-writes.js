// The objects that the page itself has written. A table does not announce their changes as those of others.

import { isEqual, userFields } from "./values.js";

/** The maximum number of objects that are remembered. */
const storedMax = 5_000;

export function createOwnWrites() {
  /** By "class/id": {isDeleted, fields}. `fields` is null until the object is seen for the first time after its write. */
  const written = new Map();

  /** The objects that a request writes, as [key, method]. */
  function targets(method, path, body) {
    const requests = path === "batch" ? body.requests : [{ method, path }];
    return requests.flatMap((request) => {
      const [, key] = /(?:^|\/)classes\/([^/?]+\/[^/?]+)$/.exec(request.path) ?? [];
      return request.method === "GET" || key === undefined ? [] : [[decodeURIComponent(key), request.method]];
    });
  }

  return {
    /** Remembers the objects that a request writes. */
    note(...request) {
      for (const [key, method] of targets(...request)) written.set(key, { isDeleted: method === "DELETE", fields: null });
      for (const oldest of written.keys()) {
        if (written.size <= storedMax) break;
        written.delete(oldest);
      }
    },
    /** Forgets the objects of a request that the gateway has refused. */
    forget(...request) {
      for (const [key] of targets(...request)) written.delete(key);
    },
    /** Whether an object has the fields that it had after a write of the page. A sync may have changed its times and its state. */
    isOwn(className, object) {
      const entry = written.get(`${className}/${object.objectId}`);
      if (entry === undefined) return false;
      entry.fields ??= userFields(object);
      return isEqual(entry.fields, userFields(object));
    },
    /** Whether the page has deleted an object. */
    isOwnDeletion: (className, objectId) => written.get(`${className}/${objectId}`)?.isDeleted === true,
  };
}
