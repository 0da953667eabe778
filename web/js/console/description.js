// Reads the description of the API (OpenAPI 3.1): its calls in groups, with their parameters, bodies and answers.

const methods = ["get", "put", "post", "delete", "patch", "head", "options"];

/** Follows the references of a node of the description. An unknown reference gives an empty object. */
export function resolved(description, node) {
  let found = node;
  // A circle of references ends.
  for (let steps = 0; typeof found?.$ref === "string" && steps < 20; steps += 1) {
    found = partOf(description, found.$ref);
  }
  return found ?? {};
}

/** The name of the schema that a node refers to; null if it refers to none. */
export function schemaName(node) {
  return /^#\/components\/schemas\/(.+)$/.exec(node?.$ref ?? "")?.[1] ?? null;
}

function partOf(description, reference) {
  if (!reference.startsWith("#/")) return undefined;
  const names = reference.slice(2).split("/").map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  return names.reduce((node, name) => (node !== null && typeof node === "object" && Object.hasOwn(node, name) ? node[name] : undefined), description);
}

/**
 * The calls of the API: [{id, method, path, tag, summary, text, parameters, body, answers, needsMasterKey}].
 *
 * - `parameters`: [{name, place, isRequired, text, schema, example}], where `place` is "path", "query" or "header"
 * - `body`: {isRequired, type, schema, example}; null for a call without a body
 * - `answers`: [{status, text, type, schema, example, headers}]
 */
export function callsOf(description) {
  const calls = [];
  for (const [path, item] of Object.entries(description.paths ?? {})) {
    for (const method of methods) {
      if (item[method]) calls.push(callOf(description, path, method, item));
    }
  }
  return calls;
}

function callOf(description, path, method, item) {
  const operation = item[method];
  const security = operation.security ?? description.security ?? [];
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    tag: operation.tags?.[0] ?? "",
    summary: operation.summary ?? "",
    text: operation.description ?? "",
    parameters: [...parametersOf(description, [...(item.parameters ?? []), ...(operation.parameters ?? [])]), ...acceptOf(description, operation)],
    body: bodyOf(description, operation.requestBody),
    answers: Object.entries(operation.responses ?? {}).map(([status, node]) => answerOf(description, status, node)),
    needsMasterKey: security.length > 0 && security.every((keys) => Object.hasOwn(keys, "masterKey")),
  };
}

function parametersOf(description, nodes) {
  const all = new Map();
  for (const node of nodes) {
    const { name, in: place, required, description: text, schema, example } = resolved(description, node);
    // The parameter of a call replaces the one of its path.
    if (["path", "query", "header"].includes(place)) {
      all.set(`${place} ${name}`, { name, place, isRequired: required === true, text: text ?? "", schema: schema ?? {}, example });
    }
  }
  return [...all.values()];
}

/** The header that chooses a stream of events as the answer, for a call that offers one. */
function acceptOf(description, operation) {
  const types = Object.keys(resolved(description, operation.responses?.["200"]).content ?? {});
  if (!types.includes("text/event-stream")) return [];
  return [{ name: "Accept", place: "header", isRequired: false, text: "The type of the answer.", schema: { enum: types }, example: undefined }];
}

function bodyOf(description, node) {
  if (!node) return null;
  const { required, content = {} } = resolved(description, node);
  const [type, media] = Object.entries(content)[0] ?? ["application/json", {}];
  return { isRequired: required === true, type, ...mediaOf(description, media) };
}

function answerOf(description, status, node) {
  const { description: text = "", content = {}, headers = {} } = resolved(description, node);
  const [type, media] = Object.entries(content)[0] ?? [null, {}];
  const names = Object.entries(headers).map(([name, header]) => ({ name, text: resolved(description, header).description ?? "" }));
  return { status, text, type, headers: names, ...mediaOf(description, media) };
}

function mediaOf(description, media) {
  const example = media.example ?? Object.values(media.examples ?? {}).map((each) => resolved(description, each).value)[0];
  return { schema: media.schema ?? null, example };
}

/** The groups of the calls, in the order of the description: [{name, text, calls}]. Groups without calls are left out. */
export function groupsOf(description, calls) {
  const texts = new Map((description.tags ?? []).map(({ name, description: text = "" }) => [name, text]));
  const names = [...new Set([...texts.keys(), ...calls.map(({ tag }) => tag)])];
  return names
    .map((name) => ({ name, text: texts.get(name) ?? "", calls: calls.filter(({ tag }) => tag === name) }))
    .filter((group) => group.calls.length > 0);
}

/** The calls that contain every word of a search text, in their name, path, method, group or summary. */
export function matchingCalls(calls, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isMatch = ({ id, method, path, tag, summary }) => {
    const all = `${id} ${method} ${path} ${tag} ${summary}`.toLowerCase();
    return words.every((word) => all.includes(word));
  };
  return calls.filter(isMatch);
}
