// A call of the gateway with ParseSwift. A call that ParseSwift cannot make is written with URLSession.

import { addressOf, applicationId, extraHeaders, header, headersOf, purposeOf, withoutSlash } from "./call.js";
import { block, jsonLiteral, swiftText } from "./literals.js";

/** Words of the language that are no names without backticks. */
const words = new Set(
  ("Any as associatedtype break case catch class continue default defer deinit do else enum extension fallthrough false fileprivate for func " +
    "guard if import in init inout internal is let nil operator precedencegroup private protocol public repeat rethrows return self Self " +
    "static struct subscript super switch throw throws true try typealias var where while")
    .split(" "),
);
/** Names that a type of the snippet must not have, because they are types of Swift, Foundation or ParseSwift. */
const types = new Set("Array Bool Character Data Date Dictionary Double Error Float Int Optional Pointer Result Set String Task Type URL".split(" "));
const objectFields = ["objectId", "createdAt", "updatedAt", "ACL", "originalData"];

/** @param fields the fields of the object, {name: value}, for a snippet that only reads it */
export function swift(call, fields = call.body ?? {}) {
  const { kind, className, objectId } = purposeOf(call);
  const isKnown = ["read", "update", "create", "delete"].includes(kind) && isName(className.replace(/^_/, ""));
  if (!isKnown) return session(call);
  const type = typeName(className);
  const known = Object.entries(fields).filter(([name, value]) => isName(name) && !objectFields.includes(name) && typeOf(value) !== null);
  const left = Object.keys(call.body ?? {}).filter((name) => name !== "ACL" && !known.some(([field]) => field === name));
  const targets = new Set(known.map(([, value]) => (value?.__type === "Pointer" ? value.className : null)).filter((name) => name !== null && name !== className));
  const options = optionsOf(call);
  return [
    "import Foundation",
    "import ParseSwift",
    "",
    ...struct(className, known),
    ...[...targets].flatMap((name) => struct(name, [])),
    ...initialize(call),
    "",
    ...left.map((name) => `// The field ${jsonLiteral(name)} needs a type of its own: ${jsonLiteral(call.body[name])}`),
    ...steps({ kind, type, objectId, body: call.body ?? {}, known, options }),
    "",
  ].join("\n");
}

const isName = (text) => /^[A-Za-z]\w*$/.test(text);
const named = (name) => (words.has(name) ? `\`${name}\`` : name);

/** The name of the type for a class. */
function typeName(className) {
  const name = className.replace(/^_/, "");
  const upper = name.charAt(0).toUpperCase() + name.slice(1);
  return types.has(upper) || words.has(upper) || upper.startsWith("Parse") ? `${upper}Object` : upper;
}

/** The Swift type of a field; null if it has none that is known. */
function typeOf(value) {
  if (typeof value === "string") return "String";
  if (typeof value === "number") return "Double";
  if (typeof value === "boolean") return "Bool";
  if (Array.isArray(value)) {
    const [first] = value;
    const isPlain = ["string", "number", "boolean"].includes(typeof first) && value.every((item) => typeof item === typeof first);
    return isPlain ? `[${typeOf(first)}]` : null;
  }
  if (value?.__type === "Pointer") return isName(value.className.replace(/^_/, "")) ? `Pointer<${typeName(value.className)}>` : null;
  return { Date: "Date", GeoPoint: "ParseGeoPoint", File: "ParseFile", Polygon: "ParsePolygon", Bytes: "ParseBytes" }[value?.__type] ?? null;
}

function struct(className, fields) {
  const type = typeName(className);
  return [
    `struct ${type}: ParseObject {`,
    ...(type === className ? [] : [`    static var className: String { ${swiftText(className)} }`]),
    "    var objectId: String?",
    "    var createdAt: Date?",
    "    var updatedAt: Date?",
    "    var ACL: ParseACL?",
    "    var originalData: Data?",
    ...fields.map(([name, value]) => `    var ${named(name)}: ${typeOf(value)}?`),
    "}",
    "",
  ];
}

function initialize(call) {
  const master = header(call, "X-Parse-Master-Key");
  const extra = extraHeaders(call).map((pair) => pair.map(swiftText).join(": "));
  const parts = [
    `applicationId: ${swiftText(header(call, applicationId))}`,
    ...(master === undefined ? [] : [`primaryKey: ${swiftText(master)}`]),
    `serverURL: URL(string: ${swiftText(`${withoutSlash(call.base)}/parse`)})!`,
    ...(extra.length > 0 ? [`httpAdditionalHeaders: ${block(extra, "[", "]", 1)}`] : []),
  ];
  return [`try await ParseSwift.initialize(\n    ${parts.join(",\n    ")})`];
}

function optionsOf(call) {
  const token = header(call, "X-Parse-Session-Token");
  if (token !== undefined) return `options: [.sessionToken(${swiftText(token)})]`;
  return header(call, "X-Parse-Master-Key") === undefined ? "" : "options: [.usePrimaryKey]";
}

function steps({ kind, type, objectId, body, known, options }) {
  const object = kind === "create" ? `${type}()` : `${type}(objectId: ${swiftText(objectId)})`;
  if (kind === "read") return [`let object = try await ${object}.fetch(${options})`, "print(object)"];
  if (kind === "delete") return [`try await ${object}.delete(${options})`];
  const begin = kind === "create" ? `var object = ${object}` : `var object = try await ${object}.fetch(${options}).mergeable`;
  return [begin, ...aclLines(body.ACL), ...known.map(([name, value]) => `object.${named(name)} = ${valueCode(value)}`), `object = try await object.save(${options})`];
}

function aclLines(acl) {
  if (!acl || typeof acl !== "object") return [];
  const grants = Object.entries(acl).flatMap(([entity, grant]) =>
    ["read", "write"].filter((right) => grant?.[right] === true).map((right) => {
      const access = right === "read" ? "ReadAccess" : "WriteAccess";
      if (entity === "*") return `acl.public${right === "read" ? "Read" : "Write"} = true`;
      if (entity.startsWith("role:")) return `acl.set${access}(roleName: ${swiftText(entity.slice(5))}, value: true)`;
      return `acl.set${access}(objectId: ${swiftText(entity)}, value: true)`;
    }),
  );
  return ["var acl = ParseACL()", ...grants, "object.ACL = acl"];
}

function valueCode(value) {
  if (typeof value === "string") return swiftText(value);
  if (Array.isArray(value)) return block(value.map(valueCode), "[", "]");
  if (typeof value !== "object") return String(value);
  switch (value.__type) {
    case "Date": return `Date(timeIntervalSince1970: ${Date.parse(value.iso) / 1000})`;
    case "Pointer": return `Pointer<${typeName(value.className)}>(objectId: ${swiftText(value.objectId)})`;
    case "GeoPoint": return `try ParseGeoPoint(latitude: ${value.latitude}, longitude: ${value.longitude})`;
    case "File": return `ParseFile(name: ${swiftText(value.name)}, cloudURL: URL(string: ${swiftText(value.url ?? "")})!)`;
    case "Polygon":
      return `try ParsePolygon(${block(value.coordinates.map(([latitude, longitude]) => `ParseGeoPoint(latitude: ${latitude}, longitude: ${longitude})`), "[", "]")})`;
    default: return `ParseBytes(base64: ${swiftText(String(value.base64))})`;
  }
}

/** The call by URLSession. */
function session(call) {
  const hasBody = call.body !== undefined && call.body !== null;
  const headers = [...headersOf(call), ...(hasBody ? [["Content-Type", "application/json"]] : [])];
  return [
    "import Foundation",
    "",
    `var request = URLRequest(url: URL(string: ${swiftText(addressOf(call))})!)`,
    `request.httpMethod = ${swiftText(call.method)}`,
    ...headers.map(([name, value]) => `request.setValue(${swiftText(value)}, forHTTPHeaderField: ${swiftText(name)})`),
    ...(hasBody ? [`request.httpBody = Data(${swiftText(jsonLiteral(call.body))}.utf8)`] : []),
    "let (data, _) = try await URLSession.shared.data(for: request)",
    "print(String(decoding: data, as: UTF8.self))",
    "",
  ].join("\n");
}
