// The objects that the page itself has written. A table does not announce their changes as those of others.

import { isEqual, userFields } from "./values.js";

/** The maximum number of objects that are remembered. */
const storedMax = 5_000;

export function createOwnWrites() {
  /** By "class/id": {isDeleted, fields}. `fields` is null until the object is seen for the first time after its write. */
  const written = new Map();

  const requestsOf = (method, path, body) => (path === "batch" ? body.requests : [{ method, path }]);

  /** The existing objects that a request writes, as [key, method]. */
  function targets(...request) {
    return requestsOf(...request).flatMap(({ method, path }) => {
      const [, key] = /(?:^|\/)classes\/([^/?]+\/[^/?]+)$/.exec(path) ?? [];
      return method === "GET" || key === undefined ? [] : [[decodeURIComponent(key), method]];
    });
  }

  function remember(key, isDeleted) {
    written.set(key, { isDeleted, fields: null });
    for (const oldest of written.keys()) {
      if (written.size <= storedMax) break;
      written.delete(oldest);
    }
  }

  return {
    /** Remembers the existing objects that a request writes. */
    note(...request) {
      for (const [key, method] of targets(...request)) remember(key, method === "DELETE");
    },
    /** Remembers the objects that a request has created, by its answer. */
    noteCreated(method, path, body, answer) {
      const answers = path === "batch" ? answer.map(({ success }) => success) : [answer];
      for (const [index, request] of requestsOf(method, path, body).entries()) {
        const [, className] = /(?:^|\/)classes\/([^/?]+)$/.exec(request.path) ?? [];
        const objectId = answers[index]?.objectId;
        if (request.method === "POST" && className !== undefined && objectId) remember(`${decodeURIComponent(className)}/${objectId}`, false);
      }
    },
    /** Remembers the object of a pending change that the page undoes. */
    noteUndo({ className, objectId, kind }) {
      remember(`${className}/${objectId}`, kind === "create");
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
