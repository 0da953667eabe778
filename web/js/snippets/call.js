// A call of the gateway, taken apart for the snippets: its address, its headers without secrets, and what it does in an SDK.

/** The headers whose values are secrets, in lower case, with the placeholders that stand for them. */
const placeholders = {
  "x-parse-session-token": "YOUR_SESSION_TOKEN",
  "x-parse-master-key": "YOUR_MASTER_KEY",
  "x-parse-maintenance-key": "YOUR_MAINTENANCE_KEY",
  "x-parse-rest-api-key": "YOUR_REST_API_KEY",
  "x-parse-javascript-key": "YOUR_JAVASCRIPT_KEY",
  "x-parse-client-key": "YOUR_CLIENT_KEY",
  "x-tidegate-access-key": "YOUR_ACCESS_KEY",
  "x-tidegate-owner": "YOUR_OWNER_PROOF",
  authorization: "YOUR_AUTHORIZATION",
  cookie: "YOUR_COOKIE",
};
export const applicationId = "X-Parse-Application-Id";

/** The headers of a call, as [[name, value]]: with the application id, and with placeholders in place of secrets. */
export function headersOf({ headers = {} }) {
  const all = Object.entries({ [applicationId]: "YOUR_APPLICATION_ID", ...headers });
  return all.map(([name, value]) => [name.replace(/[^\w-]/g, ""), placeholders[name.toLowerCase()] ?? String(value).replace(/[\r\n]+/g, " ")]);
}

/** The value of a header of a call; undefined without this header. */
export function header(call, wanted) {
  return headersOf(call).find(([name]) => name.toLowerCase() === wanted.toLowerCase())?.[1];
}

/** The headers that an SDK does not send by itself, as [[name, value]]. */
export function extraHeaders(call) {
  const own = new Set([applicationId.toLowerCase(), "content-type", "accept", "x-parse-session-token", "x-parse-master-key"]);
  return headersOf(call).filter(([name]) => !own.has(name.toLowerCase()));
}

/** The address of a call, with its query. A value of the query that is not a text is written as JSON. */
export function addressOf({ base, path, query = {} }) {
  const parts = Object.entries(query).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
  const text = parts.map((pair) => pair.map(encoded).join("=")).join("&");
  return `${withoutSlash(base)}/${pathOf(path)}${text === "" ? "" : `?${text}`}`;
}

export function withoutSlash(address) {
  return address.replace(/\/+$/, "");
}

/** A path without the slash at its beginning. */
export function pathOf(path) {
  return path.replace(/^\/+/, "");
}

/** Encodes a part of an address, also the quotes and brackets that `encodeURIComponent` leaves. */
export function encoded(text) {
  return encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * What a call does: {kind, className, objectId} with the kind "read", "update", "delete", "create" or "find"; {kind: "function", name};
 * or {kind: "other"}, also for a call that no function of an SDK can express.
 */
export function purposeOf({ method, path, query = {}, body }) {
  const [area, first, second, ...rest] = pathOf(path).split("/").map(decoded);
  const isPlain = Object.keys(query).length === 0;
  if (rest.length > 0 || first === undefined) return { kind: "other" };
  if (area === "functions" && second === undefined && method === "POST" && isPlain) return { kind: "function", name: first };
  if (area !== "classes") return { kind: "other" };
  if (second === undefined) {
    if (method === "GET") return { kind: "find", className: first };
    return method === "POST" && isPlain && isSettable(body) ? { kind: "create", className: first } : { kind: "other" };
  }
  const kind = { GET: "read", PUT: "update", DELETE: "delete" }[method];
  if (!kind || !isPlain || (kind === "update" && !isSettable(body))) return { kind: "other" };
  return { kind, className: first, objectId: second };
}

/** Whether an SDK can set each value of a body: no operation but Delete. */
function isSettable(body) {
  return Object.values(body ?? {}).every((value) => value?.__op === undefined || value.__op === "Delete");
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
