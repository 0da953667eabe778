// The gateway's API as functions: objects in the Parse dialect, /sync and /changes. One place builds requests and reads
// errors.

/** The gateway answered, and the answer was an error. */
export class ApiError extends Error {
  constructor(status, code, message) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
  }

  /** An access key is required, and none or a wrong one was sent. */
  get isLocked() {
    return this.status === 403 && this.message === "unauthorized";
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
  async function call(method, path, body) {
    const headers = { Accept: "application/json", "X-Tidegate-Page": "1" };
    const key = accessKey.get();
    if (key) headers["X-Tidegate-Access-Key"] = key;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    let response;
    let text;
    try {
      response = await fetch(new URL(path, document.baseURI), {
        method,
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
        cache: "no-store",
        credentials: "omit",
      });
      text = await response.text();
    } catch {
      throw new UnreachableError();
    }
    const answer = parse(text);
    if (response.ok && answer !== undefined) return answer;
    if (response.ok) throw new UnreachableError();
    const message = answer?.error ?? `The gateway answered with status ${response.status}.`;
    throw new ApiError(response.status, answer?.code, message);
  }

  const part = encodeURIComponent;
  const objects = (className) => `classes/${part(className)}`;
  const results = async (path) => (await call("GET", path)).results;

  return {
    find: (className, { order, limit }) =>
      results(`${objects(className)}?order=${part(order)}&limit=${limit}&_sync=true`),
    create: (className, fields) => call("POST", objects(className), fields),
    update: (className, objectId, fields) => call("PUT", `${objects(className)}/${part(objectId)}`, fields),
    remove: (className, objectId) => call("DELETE", `${objects(className)}/${part(objectId)}`),

    changes: (since, limit) => call("GET", `changes?since=${since}&limit=${limit}`),

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

/** An empty body counts as an empty object; undefined is for what is not JSON. */
function parse(text) {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
