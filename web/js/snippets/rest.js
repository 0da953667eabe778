// A call of the gateway without an SDK: as a command of curl, and in Python with its standard library.

import { addressOf, headersOf } from "./call.js";
import { block, jsonLiteral, pythonLiteral, shellWord } from "./literals.js";

const hasBody = ({ body }) => body !== undefined && body !== null;

/** The headers of a call, and that of its JSON body. */
function allHeaders(call) {
  return [...headersOf(call), ...(hasBody(call) ? [["Content-Type", "application/json"]] : [])];
}

export function curl(call) {
  // Without --globoff, curl reads braces and brackets in an address as patterns.
  const parts = [
    `curl --globoff --request ${call.method} ${shellWord(addressOf(call))}`,
    ...allHeaders(call).map((pair) => `--header ${shellWord(pair.join(": "))}`),
    ...(hasBody(call) ? [`--data-raw ${shellWord(jsonLiteral(call.body))}`] : []),
  ];
  return `${parts.join(" \\\n  ")}\n`;
}

export function python(call) {
  const headers = allHeaders(call).map((pair) => pair.map((text) => jsonLiteral(text)).join(": "));
  const parts = [
    jsonLiteral(addressOf(call)),
    ...(hasBody(call) ? ["data=json.dumps(body).encode()"] : []),
    `headers=${block(headers, "{", "}", 1)}`,
    `method=${jsonLiteral(call.method)}`,
  ];
  return [
    "import json",
    "import urllib.request",
    "",
    ...(hasBody(call) ? [`body = ${pythonLiteral(call.body)}`] : []),
    `request = urllib.request.Request(\n${parts.map((part) => `    ${part},\n`).join("")})`,
    "with urllib.request.urlopen(request) as answer:",
    "    print(json.load(answer))",
    "",
  ].join("\n");
}
