import { callsOf, groupsOf, matchingCalls, resolved } from "../../../web/js/console/description.js";
import { exampleOf } from "../../../web/js/console/example.js";
import { masked, maskedHeader } from "../../../web/js/console/masks.js";
import { inline } from "../../../web/js/console/markup.js";
import { isDangerous, operates, requestOf, targetOf } from "../../../web/js/console/request.js";
import { languages, snippet } from "../../../web/js/console/snippet.js";
import { equal, test } from "./check.js";

const description = {
  tags: [{ name: "objects", description: "Objects." }, { name: "empty" }],
  paths: {
    "/classes/{className}": {
      parameters: [{ $ref: "#/components/parameters/className" }, { name: "limit", in: "query", schema: { type: "integer" } }],
      get: {
        operationId: "list",
        tags: ["objects"],
        summary: "Find objects.",
        parameters: [{ name: "limit", in: "query", required: true, schema: { type: "string" } }],
        responses: { 200: { $ref: "#/components/responses/Found" } },
      },
      post: { operationId: "create", tags: ["other"], security: [{ masterKey: [] }], requestBody: { required: true, content: { "application/json": { schema: { $ref: "#/components/schemas/Boat" } } } } },
    },
  },
  components: {
    parameters: { className: { name: "className", in: "path", required: true, schema: { type: "string" } } },
    responses: { Found: { description: "Found.", content: { "application/json": { example: [1] }, "text/event-stream": {} } } },
    schemas: {
      Boat: { type: "object", properties: { name: { type: "string", example: "Dinghy" }, crew: { type: "array", items: { $ref: "#/components/schemas/Boat" } } } },
      Loop: { $ref: "#/components/schemas/Loop" },
    },
  },
};
const [list, create] = callsOf(description);

test("calls have the parameters of their path, and their own in place of these", () => {
  equal(list.parameters.map(({ name, place, isRequired }) => [name, place, isRequired]), [["className", "path", true], ["limit", "query", true], ["Accept", "header", false]]);
  equal([list.answers[0].text, list.answers[0].example], ["Found.", [1]]);
  equal([list.needsMasterKey, create.needsMasterKey], [false, true]);
  equal(groupsOf(description, [list, create]).map(({ name, calls }) => [name, calls.length]), [["objects", 1], ["other", 1]]);
  equal(matchingCalls([list, create], "FIND class").map(({ id }) => id), ["list"]);
});

test("references that are unknown or circular are nothing", () => {
  equal(resolved(description, { $ref: "#/components/schemas/None" }), {});
  equal(resolved(description, { $ref: "#/components/constructor" }), {});
  equal(exampleOf(description, { $ref: "#/components/schemas/Loop" }), undefined);
  equal(exampleOf(description, { $ref: "#/components/schemas/Boat" }).name, "Dinghy");
});

test("a request has the encoded values of its form", () => {
  const parameters = new Map([["path className", "a/b ?"], ["query limit", "1&x"], ["header Accept", "application/json"]]);
  const request = requestOf(list, { parameters, body: "" });
  equal(targetOf(request), "/classes/a%2Fb%20%3F?limit=1%26x");
  equal(request.headers, [["Accept", "application/json"]]);
  equal(request.body, null);
});

test("a request with a missing or wrong value is refused", () => {
  const message = (call, parameters, body = "") => {
    try {
      requestOf(call, { parameters: new Map(parameters), body });
      return "sent";
    } catch (error) {
      return error.message.slice(0, 22);
    }
  };
  equal(message(list, []), "Enter className.");
  equal(message(list, [["path className", ".."], ["query limit", "1"]]), "className cannot be ..".slice(0, 22));
  equal(message(list, [["path className", "A"]]), "Enter limit.");
  equal(message(list, [["path className", "A"], ["query limit", "1"], ["header Accept", "a\nb"]]), "Accept has a character");
  equal(message(create, [["path className", "A"], ["query limit", "1"]]), "Enter the body.");
  equal(message(create, [["path className", "A"], ["query limit", "1"]], "{"), "The body is not JSON: ");
  equal(message(create, [["path className", "A"], ["query limit", "1"]], "{}"), "sent");
});

test("a call that deletes asks first", () => {
  equal(isDangerous({ method: "DELETE", path: "/classes/A/b" }), true);
  equal(isDangerous({ method: "POST", path: "/logout" }), true);
  equal(isDangerous({ method: "POST", path: "/batch", body: '{"requests":[{"method": "DELETE"}]}' }), true);
  equal(isDangerous({ method: "POST", path: "/classes/A", body: '{"_method":"delete"}' }), true);
  equal(isDangerous({ method: "POST", path: "/classes/A", body: '{"name":"DELETE"}' }), false);
  equal(isDangerous({ method: "GET", path: "/classes/A" }), false);
});

test("the session of the owner is sent only with calls that operate the gateway", () => {
  equal(operates({ method: "POST", path: "/sync/pause" }), true);
  equal(operates({ method: "PUT", path: "/sync/classes/A" }), true);
  equal(operates({ method: "GET", path: "/sync/classes/A" }), false);
  equal(operates({ method: "POST", path: "/classes/A" }), false);
});

test("tokens and keys are masked", () => {
  const text = masked('{"sessionToken": "r:a\\"b", "name": "r:0123456789abcdef0123", "x": "r:short"}');
  equal(text, '{"sessionToken": "••••", "name": "r:••••", "x": "r:short"}');
  equal(maskedHeader("X-Parse-Session-Token", "abc"), "••••");
  equal(maskedHeader("X-Parse-Master-Key", "abc"), "••••");
  equal(maskedHeader("Content-Type", "text/plain"), "text/plain");
});

test("no value ends the quotes of a language", () => {
  const value = `'"\\ $(x) \`\n\u2028\u0000</script>`;
  const request = { method: "POST", path: "http://h/classes/A", query: [["where", value]], headers: [["X-A", "it's"]], body: value };
  for (const language of Object.keys(languages)) {
    const text = snippet(language, request);
    equal(text.includes("where=" + encodeURIComponent(value).replaceAll("'", language === "curl" ? "'\\''" : language === "php" ? "\\'" : "'")), true);
  }
  equal(snippet("curl", { ...request, query: [], headers: [], body: "it's" }), "curl -X POST 'http://h/classes/A' \\\n  --data-raw 'it'\\''s'");
  equal(snippet("php", { ...request, headers: [], body: "a\\'" }).includes("CURLOPT_POSTFIELDS, 'a\\\\\\'');"), true);
  equal(snippet("swift", { ...request, headers: [], body: 'a"\n\u0007\\(x)' }).includes('Data("a\\"\\n\\u{7}\\\\(x)".utf8)'), true);
  equal(snippet("javascript", { ...request, query: [], headers: [], body: null }), 'const response = await fetch("http://h/classes/A", {\n  method: "POST",\n});\nconsole.log(response.status, await response.text());');
});

test("only links inside of the page become links", () => {
  const [code, , script, , inside] = inline("`a<b` [x](javascript:alert(1)) [y](#z)");
  equal(code.outerHTML, "<code dir=\"auto\">a&lt;b</code>");
  equal(script, "x");
  equal(inside.getAttribute("href"), "#z");
});
