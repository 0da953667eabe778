// The client of the gateway's HTTP API: Parse objects and files, the endpoints below /sync, and /changes.

import { readEvents } from "./event-stream.js";
import { createOwnWrites } from "./own-writes.js";
import { createOwnerApi } from "./owner-api.js";
import { createSystemApi } from "./system/system-api.js";
import { t } from "./texts.js";
import { uploadName } from "./upload-name.js";
import { upload } from "./upload.js";

/** The text for an entry of the sync lists that has changed since the user saw it. */
export const entryChanged = t("It has changed again. Check it before you decide.");

/** An error answer of the gateway. */
export class ApiError extends Error {
  /**
   * @param present the current object, if the request had the tag of an older version; otherwise undefined
   * @param isDenied whether the object exists, and the sender may read it and not make this change
   */
  constructor(status, code, message, { present, isDenied = false } = {}) {
    super(message);
    this.present = present;
    this.isDenied = isDenied;
    this.name = "ApiError";
    this.status = status;
    this.code = code;
  }

  /** Whether the object does not exist, or the sender may not read it: Parse error 101 (object not found), unless the change is denied. */
  get isGone() {
    return this.code === 101 && !this.isDenied;
  }

  /** Whether the gateway requires an access key and the request had no valid key. */
  get isLocked() {
    return this.status === 403 && this.code === undefined && !this.isAboutMasterKey;
  }

  /** Whether the request needs the master key, or must not use it. */
  get isAboutMasterKey() {
    // A standalone gateway hides the texts of denials, as Parse Server 9 does.
    const isHidden = this.status === 403 && this.code === undefined && this.message === "Permission denied";
    return isHidden || /master ?key/i.test(this.message);
  }
}

/** The error if no complete answer arrived, or if a success answer is not JSON and so does not come from the gateway. */
export class UnreachableError extends Error {
  constructor() {
    super(t("Tidegate is not responding."));
    this.name = "UnreachableError";
  }
}

/** The error of a read that was aborted because another user has signed in to the page, or the user has signed out. */
export class SupersededError extends Error {
  constructor() {
    super(t("Another user uses the page now."));
    this.name = "SupersededError";
  }
}

/** The error of a read that the user has stopped. */
export class StoppedError extends Error {
  constructor() {
    super(t("The read was stopped."));
    this.name = "StoppedError";
  }
}

/**
 * @param account the stored session and master key, which requests send
 * @param onError called with each error answer of the gateway
 */
export function createApi(accessKey, account, onError = () => {}) {
  const addressOf = (path) => new URL(path, document.baseURI);
  const ownWrites = createOwnWrites();
  /** Aborts the running reads of the present user of the page. */
  let reads = new AbortController();

  /** Adds the header that marks a request of the page, the access key if one is stored, and the session or the master key. */
  function allHeaders(headers, operates) {
    const key = accessKey.get();
    return { "X-Tidegate-Page": "1", ...(key && { "X-Tidegate-Access-Key": key }), ...account.headers(operates), ...headers };
  }

  /**
   * @param operates whether the request operates the gateway, for example pauses syncs. Only such a request has the cookie of
   * the owner's session.
   */
  async function send(method, path, headers, body, { signal: given, keepalive = false, operates = false } = {}) {
    const reader = reads.signal;
    const signal = method === "GET" ? AbortSignal.any([reader, given].filter(Boolean)) : given;
    const credentials = operates ? "same-origin" : "omit";
    const options = { method, headers: allHeaders(headers, operates), body, signal, keepalive, cache: "no-store", credentials };
    try {
      return await fetch(addressOf(path), options);
    } catch {
      throw errorOf(reader, given);
    }
  }

  /**
   * Sends a JSON request. With a `tag`, the gateway carries out the request only if the object still has this tag. With `isText`,
   * resolves to the text of the answer. With `isQuiet`, an error says nothing about the session of the page.
   *
   * @param write what the request writes, by `ownWrites`
   */
  async function call(method, path, body, { write = ownWrites.start(method, path, body), ...options } = {}) {
    try {
      const answer = await exchange(method, path, body, options);
      write.succeeded(answer);
      return answer;
    } catch (error) {
      if (error instanceof ApiError) write.refused();
      else write.unknown();
      throw error;
    }
  }

  async function exchange(method, path, body, { tag, headers = {}, isText = false, isQuiet = false, ...options }) {
    const type = {
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(tag !== undefined && { "If-Match": tag }),
    };
    const text = body === undefined ? undefined : JSON.stringify(body);
    const reader = reads.signal;
    const response = await send(method, path, { Accept: isText ? "text/plain" : "application/json", ...type, ...headers }, text, options);
    if (isText && response.ok) return response.text();
    return answerOf(response, method === "GET" && reader, options.signal, isQuiet);
  }

  /** @param reader the signal that aborts the reads of the present user; false for a write */
  async function answerOf(response, reader, signal, isQuiet = false) {
    const text = await response.text().catch(() => {
      throw errorOf(reader, signal);
    });
    const answer = parse(text);
    if (response.ok && answer !== undefined) return answer;
    if (response.ok) throw new UnreachableError();
    const isDenied = answer?.denied === true;
    // The error of a denied write is that of a missing object, as on a Parse Server.
    const words = isDenied ? t("You may read this object, but not make this change.") : answer?.error;
    const message = (answer?.changed === true ? entryChanged : words) ?? t("The gateway answered with status {status}.", { status: response.status });
    const error = new ApiError(response.status, answer?.code, message, { present: answer?.object, isDenied });
    if (!isQuiet) onError(error);
    throw error;
  }

  /** Sends a request that operates the gateway, for example pauses syncs. */
  const operate = (method, path, body) => call(method, path, body, { operates: true });
  const part = encodeURIComponent;
  const objects = (className) => `classes/${part(className)}`;
  function findPath(className, { where = null, order, limit, skip = 0, keys = null }) {
    const fields = keys === null ? "" : `keys=${part(keys.join(","))}&`;
    return `${objects(className)}?${fields}order=${part(order)}&limit=${limit}${skip > 0 ? `&skip=${skip}` : ""}&_sync=true${conditions(where)}`;
  }
  const find = async (className, query) => (await call("GET", findPath(className, query), undefined, { signal: query.signal })).results;
  const results = async (path) => (await call("GET", path)).results;
  const conditions = (where) => (where === null ? "" : `&where=${part(JSON.stringify(where))}`);
  /** A path below /sync. With `space`, the objectId of a user, the request concerns the data of this user. */
  const ofSpace = (path, space) => `sync/${path}${space === undefined ? "" : `?user=${part(space)}`}`;
  /** The path of a list, or of its entries after an entry. */
  const nextOf = (list, after) => (after ? `${ofSpace(list, after.space)}${after.space === undefined ? "?" : "&"}after=${after.id}` : `sync/${list}`);
  /** The path of a decision about an entry of a list. */
  const entry = (list, { id, space }, verb = "") => ofSpace(`${list}/${part(id)}${verb}`, space);

  return {
    /** Aborts all running reads, because their answers belong to an earlier user of the page. */
    supersedeReads() {
      reads.abort();
      reads = new AbortController();
    },
    ownWrites,
    find,
    /**
     * Runs several queries, in one request. Resolves to a list with the objects of each query, or with its ApiError.
     *
     * @param queries [{className, where, order, limit, keys}], see `find`
     */
    async findMany(queries) {
      const alone = (query) => find(query.className, query).catch((error) => (error instanceof ApiError ? error : Promise.reject(error)));
      if (queries.length === 1) return [await alone(queries[0])];
      try {
        const requests = queries.map((query) => ({ method: "GET", path: `/${findPath(query.className, query)}` }));
        const answers = await call("POST", "batch", { requests });
        return answers.map(({ success, error }) => success?.results ?? new ApiError(400, error.code, error.error));
      } catch (error) {
        // The gateway may allow fewer requests in a batch.
        if (!(error instanceof ApiError) || error.isLocked) throw error;
        return Promise.all(queries.map(alone));
      }
    },
    /** The captions of objects, in the fields `keys`. The most recently changed objects come first. */
    findCaptions: (className, { where, keys, limit }) =>
      results(`${objects(className)}?keys=${part(keys.join(","))}&order=-updatedAt&limit=${limit}${conditions(where)}`),
    /** One page of a query's matches, and the number of all matches: {results, count}. */
    findPage(className, { where, order, skip, limit, signal }) {
      const query = `order=${part(order)}&skip=${skip}&limit=${limit}&count=1&_sync=true${conditions(where)}`;
      return call("GET", `${objects(className)}?${query}`, undefined, { signal });
    },
    /** The number of a query's matches. */
    count: async (className, where) => (await call("GET", `${objects(className)}?limit=0&count=1${conditions(where)}`)).count,
    /** The types of the fields that occur in the objects of a class, by their names. */
    fieldsInUse: async (className) => (await call("GET", `${objects(className)}?_fields=true`)).fields,
    read: (className, objectId) => call("GET", `${objects(className)}/${part(objectId)}?_sync=true`),
    create: (className, fields) => call("POST", objects(className), fields),
    /**
     * @param tag the tag of the version that the user saw. A newer version stays unchanged: the ApiError has it in `present`.
     */
    update: (className, objectId, fields, tag) => call("PUT", `${objects(className)}/${part(objectId)}`, fields, { tag }),
    /**
     * @param tag the tag of the version that the user saw. A newer version is not deleted: the ApiError has it in `present`.
     * @param outlivesPage whether the request continues when the page is closed
     */
    remove: (className, objectId, { tag, outlivesPage = false } = {}) =>
      call("DELETE", `${objects(className)}/${part(objectId)}`, undefined, { tag, keepalive: outlivesPage }),

    /** Sends several requests in one. Resolves to their answers in the same order: {success} or {error}. */
    batch: (requests) => call("POST", "batch", { requests }),

    /**
     * Uploads a file to the gateway. Resolves to the File value for a field.
     *
     * @param onProgress called with {sent, total} in bytes
     * @param signal an AbortSignal that aborts the upload
     */
    async upload(file, onProgress, signal) {
      const headers = allHeaders({ "Content-Type": file.type || "application/octet-stream", Accept: "application/json" });
      const address = addressOf(`files/${part(uploadName(file.name))}`);
      const response = await upload(address, headers, file, onProgress, signal).catch(() => {
        if (signal.aborted) throw new Error(t("You stopped the upload of {name}.", { name: file.name }));
        throw new Error(t("{name} could not be uploaded. Check that Tidegate is running and that the file still exists.", { name: file.name }));
      });
      if (response.status === 413) throw new Error(t("{name} is larger than Tidegate accepts.", { name: file.name }));
      const { name, url } = await answerOf(response);
      return { __type: "File", name, url };
    },

    /**
     * Listens to the events of the change feed. Resolves when the connection closes.
     *
     * @param since the position in the feed after which the events begin; "latest" for the events of new changes
     * @param onOpen called when the connection is open
     * @param signal an AbortSignal that closes the connection
     */
    async events(since, onEvent, onOpen, signal) {
      const response = await send("GET", `changes?since=${since}`, { Accept: "text/event-stream" }, undefined, { signal });
      if (!response.ok) return answerOf(response);
      onOpen();
      await readEvents(response.body, onEvent).catch(() => {});
    },

    /** Signs a user in. Resolves to the user with a `sessionToken`. */
    logIn: ({ username, password }) => call("POST", "login", { username, password }),
    logOut: () => call("POST", "logout", {}),
    /** The signed-in user. */
    me: () => call("GET", "users/me"),
    owner: createOwnerApi(call),
    /** The routes of `owner`, with another master key than the page's, such as that of the remote. */
    ownerWith: (key) => createOwnerApi((method, path, body) => call(method, path, body, { headers: { "X-Parse-Master-Key": key }, isQuiet: true })),
    system: createSystemApi(call),
    /** The routes of `system`, with another master key than the page's. */
    systemWith: (key) => createSystemApi((method, path, body, options) => call(method, path, body, { ...options, headers: { "X-Parse-Master-Key": key } })),
    /**
     * Sends any request with the present session or key, and resolves to its Response.
     *
     * @param options {headers, body, signal, operates}
     */
    request: (method, path, { headers, body, ...options }) => send(method, path, headers, body, options),
    /** The names of the headers that hold the credentials of the page's requests. */
    credentialNames: (operates) => Object.keys(allHeaders({}, operates)).filter((name) => name !== "X-Tidegate-Page" && name !== "X-Tidegate-Owner"),
    /** The description of the API (OpenAPI). */
    description: () => call("GET", "openapi.json"),
    /** The session of the owner in this browser. `open` resolves to its {proof}, `read` to {isOpen}. */
    ownerSession: {
      open: (token) => operate("POST", "owner/session", { token }),
      read: () => operate("GET", "owner/session"),
      end: () => operate("DELETE", "owner/session"),
    },

    changes: (since, limit) => call("GET", `changes?since=${since}&limit=${limit}`),

    /** The synced classes with their sync options and, if the gateway knows them, their fields. */
    classInfos: () => results("sync/classes?fields=true"),
    /** The same of one class. */
    classInfo: (className) => call("GET", `sync/classes/${part(className)}`),
    /** Starts to sync a class, or changes its sync options. Options that are left out stay unchanged. */
    registerClass: (className, options = {}) => operate("PUT", `sync/classes/${part(className)}`, options),
    unregisterClass: (className) => operate("DELETE", `sync/classes/${part(className)}?purge=true`),

    /** The names of the remote's classes; null if the remote does not list them. */
    remoteClasses: async () => (await operate("GET", "sync/remote-classes")).classes,
    /** The first steps of a new gateway; see `/setup` in openapi.yaml. */
    setup: {
      read: () => operate("GET", "setup"),
      check: (connection) => operate("POST", "setup/check", connection),
      connect: (connection) => operate("POST", "setup/connect", connection),
      samples: () => operate("POST", "setup/samples", {}),
    },

    syncStatus: () => call("GET", "sync"),
    startSync: () => call("POST", "sync"),
    pause: () => operate("POST", "sync/pause"),
    resume: () => operate("POST", "sync/resume"),

    pending: (after) => results(nextOf("pending", after)),
    /** The decisions about one entry. If the entry has changed since the user saw it, the error has the status 412. */
    undoPending: (change) => call("DELETE", entry("pending", change), undefined, { tag: change.tag, write: ownWrites.startUndo(change) }),
    rejections: (after) => results(nextOf("rejections", after)),
    retryRejection: (rejection, object) => call("POST", entry("rejections", rejection, "/retry"), object && { object }, { tag: rejection.tag }),
    giveUpRejection: (rejection) => call("DELETE", entry("rejections", rejection), undefined, { tag: rejection.tag }),
    conflicts: (after) => results(nextOf("conflicts", after)),
    resolvedConflicts: () => results("sync/conflicts?state=resolved"),
    resolveConflict: (conflict, keep, object) => call("POST", entry("conflicts", conflict), { keep, object }, { tag: conflict.tag }),
    /** Makes many decisions. Resolves to their answers in the same order: {success} or {error}. */
    decideMany: (decisions, space) => call("POST", ofSpace("decisions", space), { decisions }),
    removals: () => results("sync/removals"),
    confirmRemoval: (removal) => operate("POST", entry("removals", removal, "/confirm")),
    keepRemoval: (removal) => operate("POST", entry("removals", removal, "/keep")),
  };
}

/** The error of a request without a complete answer. */
function errorOf(reader, signal) {
  if (reader?.aborted) return new SupersededError();
  return signal?.aborted ? new StoppedError() : new UnreachableError();
}

/** Parses a JSON body. An empty body gives an empty object, invalid JSON gives undefined. */
function parse(text) {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
