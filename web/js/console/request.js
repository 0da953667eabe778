// The request that the form of a call describes.

import { t } from "../texts.js";

/** The calls that delete or end something. The console asks before it sends them. */
const dangerous = /^\/(purge\/|logout$|sync\/removals\/[^/]+\/confirm$)/;
const deletes = /"_?method"\s*:\s*"DELETE"/i;
/** The calls that operate the gateway, for which the session of the owner counts. */
const operating = /^\/(sync\/(pause|resume|remote-classes)$|sync\/removals\/|system\/|setup(\/|$)|owner\/session$|metrics$)/;

export function isDangerous({ method, path, body = null }) {
  // A batch, and a POST that stands for another method, name the method in the body.
  return method === "DELETE" || dangerous.test(path) || (body !== null && deletes.test(body));
}

/** Whether a request needs the session of the owner in place of the session of the user. */
export function operates({ method, path }) {
  return operating.test(path) || (method !== "GET" && path.startsWith("/sync/classes/"));
}

/**
 * The request of a call: {method, path, query, headers, body}. `query` and `headers` are lists of [name, value], and `body` is a
 * text or null.
 *
 * @param call a call of the description
 * @param values {parameters: a map from "place name" to text, body: text}
 * @throws an Error with a message for the user if a value is missing or invalid
 */
export function requestOf(call, { parameters, body }) {
  const given = (place) =>
    call.parameters.filter((each) => each.place === place).map((each) => [each, parameters.get(`${place} ${each.name}`) ?? ""]);
  let { path } = call;
  for (const [{ name }, text] of given("path")) {
    if (text === "") throw new Error(t("Enter {name}.", { name }));
    // The browser would remove such a part of a path.
    if (/^\.{1,2}$/.test(text)) throw new Error(t("{name} cannot be {text}.", { name, text }));
    path = path.replace(`{${name}}`, text.split("/").map(encodeURIComponent).join(name === "file" || name === "fileName" ? "/" : "%2F"));
  }
  const filled = (place) =>
    given(place).flatMap(([{ name, isRequired }, text]) => {
      if (text === "" && isRequired) throw new Error(t("Enter {name}.", { name }));
      return text === "" ? [] : [[name, text]];
    });
  const query = filled("query");
  const headers = filled("header");
  for (const [name, text] of headers) {
    if (/[^\t\x20-\x7e\x80-\xff]/.test(text)) throw new Error(t("{name} has a character that no header can have.", { name }));
  }
  return { method: call.method, path, query, headers, body: bodyOf(call, body) };
}

function bodyOf({ body, method }, text) {
  if (body === null || method === "GET" || text === "") {
    if (body?.isRequired && method !== "GET") throw new Error(t("Enter the body."));
    return null;
  }
  if (body.type === "application/json") {
    try {
      JSON.parse(text);
    } catch (error) {
      throw new Error(t("The body is not JSON: {message}", { message: error.message }), { cause: error });
    }
  }
  return text;
}

/** The path of a request with its query, such as "/classes/Boat?limit=1". */
export function targetOf({ path, query }) {
  const pairs = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}
