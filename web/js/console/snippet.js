// A request as it is sent, in five languages, without an SDK. Each text is quoted by the rules of its language, so that no value can
// end its quotes. `snippets.js` writes a call as the SDKs make it.

import { jsonLiteral, shellWord, swiftText } from "../snippets/literals.js";
import { targetOf } from "./request.js";

export const languages = { curl: "curl", javascript: "JavaScript", swift: "Swift", python: "Python", php: "PHP" };

/**
 * The source text that sends a request.
 *
 * @param language a key of `languages`
 * @param request {method, path, query, headers, body}: `path` with the origin, `query` and `headers` as [[name, value]], `body` a
 *   text or null
 */
export function snippet(language, request) {
  const { method, headers = [], body = null } = request;
  return writers[language]({ method, url: targetOf({ query: [], ...request }), headers, body });
}

const writers = { curl, javascript, swift, python, php };

function curl({ method, url, headers, body }) {
  const parts = [
    method === "GET" ? "" : `-X ${method} `,
    shellWord(url),
    ...headers.map(([name, value]) => ` \\\n  -H ${shellWord(`${name}: ${value}`)}`),
    body === null ? "" : ` \\\n  --data-raw ${shellWord(body)}`,
  ];
  return `curl ${parts.join("")}`;
}

function javascript({ method, url, headers, body }) {
  const lines = [
    `  method: ${jsonLiteral(method)},`,
    headers.length > 0 && `  headers: {\n${headers.map(([name, value]) => `    ${jsonLiteral(name)}: ${jsonLiteral(value)},\n`).join("")}  },`,
    body !== null && `  body: ${jsonLiteral(body)},`,
  ].filter(Boolean);
  return `const response = await fetch(${jsonLiteral(url)}, {\n${lines.join("\n")}\n});\nconsole.log(response.status, await response.text());`;
}

function swift({ method, url, headers, body }) {
  const lines = [
    "import Foundation",
    "#if canImport(FoundationNetworking)",
    "import FoundationNetworking",
    "#endif",
    "",
    `var request = URLRequest(url: URL(string: ${swiftText(url)})!)`,
    `request.httpMethod = ${swiftText(method)}`,
    ...headers.map(([name, value]) => `request.setValue(${swiftText(value)}, forHTTPHeaderField: ${swiftText(name)})`),
    body !== null && `request.httpBody = Data(${swiftText(body)}.utf8)`,
    "let (data, response) = try await URLSession.shared.data(for: request)",
    'print((response as! HTTPURLResponse).statusCode, String(decoding: data, as: UTF8.self))',
  ];
  return lines.filter((line) => line !== false).join("\n");
}

function python({ method, url, headers, body }) {
  // A text in JSON is a text in Python.
  const pairs = headers.map(([name, value]) => `    ${jsonLiteral(name)}: ${jsonLiteral(value)},\n`).join("");
  return [
    "import urllib.request",
    "",
    "request = urllib.request.Request(",
    `    ${jsonLiteral(url)},`,
    `    method=${jsonLiteral(method)},`,
    headers.length > 0 && `    headers={\n${pairs.replaceAll(/^/gm, "    ").trimEnd()}\n    },`,
    body !== null && `    data=${jsonLiteral(body)}.encode(),`,
    ")",
    "with urllib.request.urlopen(request) as response:",
    "    print(response.status, response.read().decode())",
  ].filter((line) => line !== false).join("\n");
}

function php({ method, url, headers, body }) {
  const quoted = (text) => `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;
  return [
    "<?php",
    `$request = curl_init(${quoted(url)});`,
    `curl_setopt($request, CURLOPT_CUSTOMREQUEST, ${quoted(method)});`,
    headers.length > 0 && `curl_setopt($request, CURLOPT_HTTPHEADER, [\n${headers.map(([name, value]) => `    ${quoted(`${name}: ${value}`)},\n`).join("")}]);`,
    body !== null && `curl_setopt($request, CURLOPT_POSTFIELDS, ${quoted(body)});`,
    "curl_setopt($request, CURLOPT_RETURNTRANSFER, true);",
    "$answer = curl_exec($request);",
    "echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $answer;",
  ].filter((line) => line !== false).join("\n");
}
