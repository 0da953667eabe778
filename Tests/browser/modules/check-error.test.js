import { checkError, requestError } from "../../../web/js/setup/check-error.js";
import { equal, test } from "./check.js";

const labels = { remote: "Address", appId: "Application id", restKey: "REST key", masterKey: "Master key", token: "Token" };
const found = (name, text, hint) => {
  const { field, message } = checkError([{ name, state: "failed", text, hint }], labels);
  return [field, message];
};

test("an error of the check is about a field, in the words of the form", () => {
  equal(found("kind", "the remote http://a is a Parse Server, which needs its application id: add --app-id ID"), [
    "appId", "The remote http://a is a Parse Server, which needs its application id.",
  ]);
  equal(found("kind", "the kind of the remote http://a cannot be detected: Couldn't connect. Name it with --remote-kind datasync|parse"), [
    "remote", "The kind of the remote http://a cannot be detected: Couldn't connect.",
  ]);
  equal(found("keys", "The remote rejects the keys", "compare --app-id and the keys with those of the server, which may also require --rest-key"), [
    "appId", "The remote rejects the keys. Compare Application id and the keys with those of the server, which may also require REST key.",
  ]);
  equal(found("keys", "Task: the table refuses the token", "name a valid token with --remote-token, --remote-token-file or --remote-token-command"), [
    "token", "Task: the table refuses the token. Name a valid token with Token.",
  ]);
  equal(found("health", "The remote does not answer: no route", "check the address")[0], "remote");
});

test("an error of the request is about the field of the option that it names", () => {
  const { field, message } = requestError(new Error("--remote: is not an http or https address"), labels);
  equal([field, message], ["remote", "Address is not an http or https address."]);
  const other = new Error("This gateway has data already.");
  equal(requestError(other, labels), other);
});
