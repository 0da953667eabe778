// A call of the gateway with the Parse SDK for JavaScript.

import { applicationId, extraHeaders, header, pathOf, purposeOf, withoutSlash } from "./call.js";
import { block, scriptLiteral as literal } from "./literals.js";

export function javascript(call) {
  const extra = Object.fromEntries(extraHeaders(call));
  const master = header(call, "X-Parse-Master-Key");
  const keys = [header(call, applicationId), ...(master === undefined ? [] : [null, master])];
  return [
    `import Parse from "parse/node";`,
    "",
    `Parse.initialize(${keys.map((key) => (key === null ? "undefined" : literal(key))).join(", ")});`,
    `Parse.serverURL = ${literal(`${withoutSlash(call.base)}/parse`)};`,
    ...(Object.keys(extra).length > 0 ? [`Parse.CoreManager.set("REQUEST_HEADERS", ${literal(extra)});`] : []),
    "",
    ...steps(call, optionsOf(call)),
    "",
  ].join("\n");
}

/** The options of a call: who calls. Empty without a session and a master key. */
function optionsOf(call) {
  const session = header(call, "X-Parse-Session-Token");
  if (session !== undefined) return `{ sessionToken: ${literal(session)} }`;
  return header(call, "X-Parse-Master-Key") === undefined ? "" : "{ useMasterKey: true }";
}

/** The lines that make the call. */
function steps(call, options) {
  const { kind, className, objectId, name } = purposeOf(call);
  const given = (first) => [first, options].filter(Boolean).join(", ");
  const known = () => [`const object = new Parse.Object(${literal(className)});`, `object.id = ${literal(objectId)};`];
  switch (kind) {
    case "read":
      return [`const query = new Parse.Query(${literal(className)});`, `const object = await query.get(${given(literal(objectId))});`, "console.log(object.toJSON());"];
    case "find":
      return [
        `const query = Parse.Query.fromJSON(${literal(className)}, ${literal(valuesOf(call.query), 2)});`,
        `const objects = await query.find(${options});`,
        "console.log(objects.map((object) => object.toJSON()));",
      ];
    case "create":
      return [`const object = new Parse.Object(${literal(className)});`, ...setters(call.body), `await object.save(${given("null")});`];
    case "update": return [...known(), ...setters(call.body), `await object.save(${given("null")});`];
    case "delete": return [...known(), `await object.destroy(${options});`];
    case "function":
      return [`const result = await Parse.Cloud.run(${given(`${literal(name)}, ${literal(call.body ?? {}, 2)}`)});`, "console.log(result);"];
    default: {
      const data = call.body ?? call.query ?? {};
      const parts = [literal(call.method), literal(pathOf(call.path)), literal(data, 2)];
      return [`const answer = await Parse.CoreManager.getRESTController().request(${given(parts.join(", "))});`, "console.log(answer);"];
    }
  }
}

/** The parameters of a query as values: the SDK takes the conditions as an object, and numbers as numbers. */
function valuesOf(query = {}) {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, typeof value === "string" ? parsed(value) : value]));
}

function parsed(text) {
  try {
    return /^[[{\d]/.test(text) ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}

function setters(body) {
  return Object.entries(body ?? {}).map(([name, value]) =>
    value?.__op === "Delete" ? `object.unset(${literal(name)});` : `object.set(${literal(name)}, ${valueCode(value, name === "ACL")});`,
  );
}

/** A value of a field as the SDK takes it. */
function valueCode(value, isAcl = false, depth = 0) {
  if (typeof value !== "object" || value === null) return literal(value);
  if (Array.isArray(value)) return block(value.map((item) => valueCode(item, false, depth + 1)), "[", "]", depth);
  if (isAcl) return `new Parse.ACL(${literal(value)})`;
  switch (value.__type) {
    case "Date": return `new Date(${literal(value.iso)})`;
    case "Pointer": return `Parse.Object.fromJSON(${literal({ className: value.className, objectId: value.objectId })})`;
    case "GeoPoint": return `new Parse.GeoPoint(${literal(value.latitude)}, ${literal(value.longitude)})`;
    case "Polygon": return `new Parse.Polygon(${literal(value.coordinates)})`;
    case "File": return `Parse.File.fromJSON(${literal({ __type: "File", name: value.name, url: value.url })})`;
    default: {
      // In an object literal, the name __proto__ sets the prototype, unless it is computed.
      const key = (name) => (name === "__proto__" ? `[${literal(name)}]` : literal(name));
      return block(Object.entries(value).map(([name, item]) => `${key(name)}: ${valueCode(item, false, depth + 1)}`), "{", "}", depth);
    }
  }
}
