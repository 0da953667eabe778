// The gateway's API as functions: objects in the Parse dialect, /sync and /changes. One place builds requests and reads
// errors.

import { readEvents } from "./event-stream.js";
import { upload } from "./upload.js";

/** The gateway answered, and the answer was an error. */
export class ApiError extends Error {
  /** @param present the object as it is, where a change was made for another state of it */
  constructor(status, code, message, present) {
    super(message);
    this.present = present;
    this.name = "ApiError";
    this.status = status;
    this.code = code;
  }

  /** An access key is required, and none or a wrong one was sent. */
  get isLocked() {
    return this.status === 403 && this.code === undefined;
  }
}

/** Nothing answered, or what answered was not the gateway. */
export class UnreachableError extends Error {
  constructor() {
    super("Tidegate does not answer.");
    this.name = "UnreachableError";
  }
}

export function createApi(accessKey) {
  const addressOf = (path) => new URL(path, document.baseURI);

  /** What every request of the page carries. */
  function carried(headers) {
    const key = accessKey.get();
    return { "X-Tidegate-Page": "1", ...(key && { "X-Tidegate-Access-Key": key }), ...headers };
  }

  async function send(method, path, headers, body, { signal, keepalive = false } = {}) {
    const options = { method, headers: carried(headers), body, signal, keepalive, cache: "no-store", credentials: "omit" };
    try {
      return await fetch(addressOf(path), options);
    } catch {
      throw new UnreachableError();
    }
  }

  /** @param options {tag, keepalive}: a change with a tag is for the state of the object that has it */
  async function call(method, path, body, { tag, ...options } = {}) {
    const type = {
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(tag !== undefined && { "If-Match": tag }),
    };
    const text = body === undefined ? undefined : JSON.stringify(body);
    return answerOf(await send(method, path, { Accept: "application/json", ...type }, text, options));
  }

  async function answerOf(response) {
    const text = await response.text().catch(() => {
      throw new UnreachableError();
    });
    const answer = parse(text);
    if (response.ok && answer !== undefined) return answer;
    if (response.ok) throw new UnreachableError();
    const message = answer?.error ?? `The gateway answered with status ${response.status}.`;
    throw new ApiError(response.status, answer?.code, message, answer?.object);
  }

  const part = encodeURIComponent;
  const objects = (className) => `classes/${part(className)}`;
  const results = async (path) => (await call("GET", path)).results;

  return {
    find: (className, { order, limit }) =>
      results(`${objects(className)}?order=${part(order)}&limit=${limit}&_sync=true`),
    /** Objects with what they are called only, those that changed last first. */
    findNames: (className, limit) => results(`${objects(className)}?keys=name,title&order=-updatedAt&limit=${limit}`),
    /** One page of the objects that a query finds, and how many it finds: {results, count}. */
    findPage(className, { where, order, skip, limit }) {
      const conditions = where === null ? "" : `&where=${part(JSON.stringify(where))}`;
      const query = `order=${part(order)}&skip=${skip}&limit=${limit}&count=1&_sync=true${conditions}`;
      return call("GET", `${objects(className)}?${query}`);
    },
    read: (className, objectId) => call("GET", `${objects(className)}/${part(objectId)}?_sync=true`),
    create: (className, fields) => call("POST", objects(className), fields),
    /** @param tag of the state that was seen: another one is an error with the object as it is */
    update: (className, objectId, fields, tag) => call("PUT", `${objects(className)}/${part(objectId)}`, fields, { tag }),
    /**
     * @param tag of the state that was seen
     * @param outlivesPage whether the request goes on when the page is left
     */
    remove: (className, objectId, { tag, outlivesPage = false } = {}) =>
      call("DELETE", `${objects(className)}/${part(objectId)}`, undefined, { tag, keepalive: outlivesPage }),

    /**
     * Keeps a file. Resolves to the value of a field that refers to it.
     *
     * @param onProgress called with {sent, total} in bytes
     * @param signal ends it
     */
    async upload(file, onProgress, signal) {
      const headers = carried({ "Content-Type": file.type || "application/octet-stream", Accept: "application/json" });
      const address = addressOf(`files/${part(fileName(file.name))}`);
      const response = await upload(address, headers, file, onProgress, signal).catch(() => {
        if (signal.aborted) throw new Error(`You stopped storing ${file.name}.`);
        throw new Error(`${file.name} did not get through. Does Tidegate run, and is the file still there?`);
      });
      if (response.status === 413) throw new Error(`${file.name} is larger than Tidegate takes.`);
      const { name, url } = await answerOf(response);
      return { __type: "File", name, url };
    },

    /**
     * Follows what happens, from now on. Resolves when the line breaks.
     *
     * @param onOpen called once the events flow
     * @param signal ends it
     */
    async events(onEvent, onOpen, signal) {
      const response = await send("GET", "changes?since=latest", { Accept: "text/event-stream" }, undefined, { signal });
      if (!response.ok) return answerOf(response);
      onOpen();
      await readEvents(response.body, onEvent).catch(() => {});
    },

    changes: (since, limit) => call("GET", `changes?since=${since}&limit=${limit}`),

    /** How a class is kept, with its fields where the gateway knows them. */
    classInfo: (className) => call("GET", `sync/classes/${part(className)}`),
    /** Keeps a class, or keeps it otherwise: options that are not named stay as they are. */
    registerClass: (className, options = {}) => call("PUT", `sync/classes/${part(className)}`, options),
    unregisterClass: (className) => call("DELETE", `sync/classes/${part(className)}?purge=true`),

    syncStatus: () => call("GET", "sync"),
    startSync: () => call("POST", "sync"),
    pause: () => call("POST", "sync/pause"),
    resume: () => call("POST", "sync/resume"),

    pending: () => results("sync/pending"),
    undoPending: (id) => call("DELETE", `sync/pending/${part(id)}`),
    rejections: () => results("sync/rejections"),
    retryRejection: (id, object) => call("POST", `sync/rejections/${part(id)}/retry`, object && { object }),
    giveUpRejection: (id) => call("DELETE", `sync/rejections/${part(id)}`),
    conflicts: () => results("sync/conflicts"),
    settledConflicts: () => results("sync/conflicts?state=resolved"),
    resolveConflict: (id, keep, object) => call("POST", `sync/conflicts/${part(id)}`, { keep, object }),
    removals: () => results("sync/removals"),
    confirmRemoval: (id) => call("POST", `sync/removals/${part(id)}/confirm`),
    keepRemoval: (id) => call("POST", `sync/removals/${part(id)}/keep`),
  };
}

/** The access key lives as long as the tab: a closed tab forgets it. */
export function createAccessKey(storage = window.sessionStorage) {
  const name = "tidegate.accessKey";
  return {
    get: () => storage.getItem(name),
    set: (key) => storage.setItem(name, key),
    forget: () => storage.removeItem(name),
  };
}

/** A name that every server takes, with its ending kept: that tells what the file is. */
function fileName(name) {
  const plain = name.normalize("NFC").replace(/[^\p{L}\p{N}_.@ -]/gu, "_").replace(/^[^\p{L}\p{N}]+/u, "");
  return plain.slice(-100) || "file";
}

/** An empty body counts as an empty object; undefined is for what is not JSON. */
function parse(text) {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
