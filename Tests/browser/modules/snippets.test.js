import { languages, snippet } from "../../../web/js/snippets.js";
import { equal, test } from "./check.js";

const base = "http://127.0.0.1:1338/";
const hostile = `a'b"c\\d\n\`$(id)\` \${x} </script> \\(y) \u202e\u2028\u0000 %s {0} é 🚢`;
const languagesOf = (call) => Object.fromEntries(Object.keys(languages).map((language) => [language, snippet(language, call)]));

/** Runs the code of a snippet with a pretended SDK. Resolves to the calls that the code has made. */
async function run(code) {
  const calls = [];
  const note = (name) => async (...values) => (calls.push([name, ...values]), { toJSON: () => ({}) });
  class Made {
    constructor(className) {
      this.className = className;
      this.save = note("save");
      this.destroy = note("destroy");
    }
    set(name, value) {
      calls.push(["set", name, value]);
    }
    unset(name) {
      calls.push(["unset", name]);
    }
  }
  const Parse = {
    initialize: (...keys) => calls.push(["initialize", ...keys]),
    CoreManager: { set: (...values) => calls.push(["header", ...values]), getRESTController: () => ({ request: note("request") }) },
    Query: class {
      constructor(className) {
        calls.push(["query", className]);
        this.get = note("get");
      }
    },
    Object: Object.assign(Made, { fromJSON: (json) => ({ pointer: json }) }),
    GeoPoint: class {
      constructor(...numbers) {
        this.numbers = numbers;
      }
    },
    ACL: class {
      constructor(grants) {
        this.grants = grants;
      }
    },
    Cloud: { run: note("run") },
  };
  const AsyncFunction = (async () => {}).constructor;
  await new AsyncFunction("Parse", "console", code.replace(/^import .*$/m, ""))(Parse, { log: () => {} });
  return { calls, Parse };
}

test("code in JavaScript is valid and sets each value as it is", async () => {
  const body = { name: hostile, count: 3, gone: { __op: "Delete" }, home: { __type: "Pointer", className: "Port", objectId: hostile }, list: [hostile, { deep: null }], empty: "" };
  const { calls } = await run(snippet("javascript", { base, method: "PUT", path: "classes/Boat/abc", body }));
  equal(calls.filter(([name]) => name === "set"), [
    ["set", "name", hostile],
    ["set", "count", 3],
    ["set", "home", { pointer: { className: "Port", objectId: hostile } }],
    ["set", "list", [hostile, { deep: null }]],
    ["set", "empty", ""],
  ]);
  equal(calls.find(([name]) => name === "unset"), ["unset", "gone"]);
  equal(calls.at(-1), ["save", null]);
});

test("a field of an object that is named __proto__ stays a field", async () => {
  const body = { map: JSON.parse('{"__proto__": {"a": 1}}') };
  const { calls } = await run(snippet("javascript", { base, method: "PUT", path: "classes/Boat/abc", body }));
  equal(Object.keys(calls.find(([name]) => name === "set")[2]), ["__proto__"]);
  const called = await run(snippet("javascript", { base, method: "POST", path: "functions/f", body }));
  equal(Object.keys(called.calls.at(-1)[2].map), ["__proto__"]);
});

test("an object is read, deleted and created with functions of the SDK", async () => {
  const code = (method, path, body) => snippet("javascript", { base, method, path, body });
  equal((await run(code("GET", "classes/Boat/a%2Fb"))).calls.slice(1), [["query", "Boat"], ["get", "a/b"]]);
  equal((await run(code("DELETE", "classes/Boat/x"))).calls.at(-1), ["destroy"]);
  equal((await run(code("POST", "classes/Boat", { a: 1 }))).calls.slice(1), [["set", "a", 1], ["save", null]]);
  equal((await run(code("POST", "functions/hello", { a: 1 }))).calls.at(-1), ["run", "hello", { a: 1 }]);
  equal((await run(code("POST", "sync"))).calls.at(-1), ["request", "POST", "sync", {}]);
});

test("no snippet has a secret of the page", () => {
  const secret = "r:0123456789abcdef";
  const names = ["X-Parse-Session-Token", "x-parse-master-key", "X-Tidegate-Access-Key", "X-Tidegate-Owner", "Authorization", "Cookie"];
  for (const path of ["classes/Boat/x", "sync", "classes/Boat"]) {
    for (const method of ["GET", "PUT", "POST", "DELETE"]) {
      const call = { base, method, path, headers: Object.fromEntries(names.map((name) => [name, secret])), body: { a: 1 } };
      for (const [language, code] of Object.entries(languagesOf(call))) equal([language, code.includes(secret)], [language, false]);
    }
  }
  const code = snippet("curl", { base, method: "GET", path: "classes/Boat/x", headers: { "X-Parse-Session-Token": secret } });
  equal(code.includes("X-Parse-Session-Token: YOUR_SESSION_TOKEN"), true);
});

test("a caller with a session or the master key passes it in the way of the SDK", async () => {
  const call = { base, method: "GET", path: "classes/Boat/x" };
  const session = snippet("javascript", { ...call, headers: { "X-Parse-Session-Token": "" } });
  equal((await run(session)).calls.at(-1), ["get", "x", { sessionToken: "YOUR_SESSION_TOKEN" }]);
  const master = (await run(snippet("javascript", { ...call, headers: { "X-Parse-Master-Key": "", "X-Tidegate-Access-Key": "" } }))).calls;
  equal(master[0], ["initialize", "YOUR_APPLICATION_ID", undefined, "YOUR_MASTER_KEY"]);
  equal(master[1], ["header", "REQUEST_HEADERS", { "X-Tidegate-Access-Key": "YOUR_ACCESS_KEY" }]);
  equal(master.at(-1), ["get", "x", { useMasterKey: true }]);
});

test("a word of the shell has each character but invisible ones as they are", () => {
  const code = snippet("curl", { base, method: "POST", path: "/classes/Boat", body: { name: "it's $(id) `x`" } });
  equal(code, `curl --globoff --request POST 'http://127.0.0.1:1338/classes/Boat' \\
  --header 'X-Parse-Application-Id: YOUR_APPLICATION_ID' \\
  --header 'Content-Type: application/json' \\
  --data-raw '{"name":"it'\\''s $(id) \`x\`"}'
`);
});

test("invisible characters that change the look of code are escaped", () => {
  const call = { base, method: "PUT", path: "classes/Boat/x", body: { name: hostile } };
  for (const [language, code] of Object.entries(languagesOf(call))) {
    equal([language, ["\u202e", "\u2028", "\u0000"].some((character) => code.includes(character))], [language, false]);
    equal([language, code.includes("🚢")], [language, true]);
  }
});

test("a query is a part of the address, and a query of objects in the SDK", () => {
  const call = { base, method: "GET", path: "classes/Boat", query: { where: { name: "a & b'c" }, limit: 10 } };
  equal(snippet("curl", call).split("\n")[0], "curl --globoff --request GET 'http://127.0.0.1:1338/classes/Boat?where=%7B%22name%22%3A%22a%20%26%20b%27c%22%7D&limit=10' \\");
  equal(snippet("javascript", call).includes('Parse.Query.fromJSON("Boat", {'), true);
  const text = { ...call, query: { where: '{"a":1}', order: "-a" } };
  equal(snippet("javascript", text).includes('"where": {\n    "a": 1\n  }'), true);
});

test("code in Swift declares the type of the object", () => {
  const body = { name: hostile, class: "x", home: { __type: "Pointer", className: "Port", objectId: "p" }, data: { a: 1 }, at: { __type: "Date", iso: "2031-05-17T14:30:00.500Z" } };
  const code = snippet("swift", { base, method: "PUT", path: "classes/Boat/x", body });
  for (const line of [
    "struct Boat: ParseObject {",
    "    var `class`: String?",
    "    var home: Pointer<Port>?",
    "struct Port: ParseObject {",
    'object.home = Pointer<Port>(objectId: "p")',
    "object.at = Date(timeIntervalSince1970: 1936794600.5)",
    '// The field "data" needs a type of its own: {"a":1}',
    "object = try await object.save()",
  ]) equal([line, code.includes(`${line}\n`)], [line, true]);
  // A text cannot leave its literal by an interpolation or a quote.
  const literal = code.split("\n").find((line) => line.startsWith("object.name")).slice("object.name = ".length);
  equal(/(?<!\\)(\\\\)*\\\(/.test(literal.replaceAll("\\\\", "")), false);
  equal(/(?<!\\)"/.test(literal.slice(1, -1).replaceAll("\\\\", "")), false);
});

test("a class with the name of a type of Swift gets another type", () => {
  const code = snippet("swift", { base, method: "GET", path: "classes/Data/x" }, {});
  equal(code.includes('struct DataObject: ParseObject {\n    static var className: String { "Data" }'), true);
  equal(snippet("swift", { base, method: "GET", path: "sync" }).includes("URLSession"), true);
});
