// Turns what the gateway says about a new connection into an error at a field of the form. The gateway writes for the command line
// too, so its texts name options such as `--app-id`.

import { withFullStop } from "../sync-text.js";
import { t } from "../texts.js";

/** The field of each option, and its label. The kind of the remote has no field, because the check finds it out. */
const fieldOfOption = {
  "--app-id": "appId", "--rest-key": "restKey", "--master-key": "masterKey", "--remote-token": "token", "--remote-kind": "remote", "--remote": "remote",
};
/** The fields of findings whose texts name no option. */
const fieldOfFinding = { keys: "appId", table: "remote" };
/** Advice that is only for the command line. */
const advice = [
  /[.,:;]? ?(Name it with|add|set) --(remote-kind|app-id|remote-token)\b[^.]*/i,
  /,? ?--remote-token-(file|command)( or)?/g,
];
const option = /--[a-z]+(-[a-z]+)*/g;

/** An error with the name of the form's field that it is about. */
export class FieldError extends Error {
  constructor(field, message) {
    super(message);
    this.field = field;
  }
}

/**
 * @param findings the failed findings of the check: [{name, text, hint}]
 * @param labels the labels of the form's fields: {name: label}
 */
export function checkError(findings, labels) {
  const [first] = findings;
  const texts = findings.flatMap(({ text, hint }) => [text, hint]).filter(Boolean);
  const named = optionsIn(texts.join(" ")).map((name) => fieldOfOption[name]);
  const field = named.find(Boolean) ?? fieldOfFinding[first?.name] ?? "remote";
  return new FieldError(field, texts.map((text) => sentence(text, labels)).filter(Boolean).join(" ") || t("The server was not accepted."));
}

/** The error of a request with a wrong value, such as "--remote: is not an http or https address". */
export function requestError(error, labels) {
  const [name] = optionsIn(error.message);
  const field = fieldOfOption[name];
  return field === undefined ? error : new FieldError(field, sentence(error.message.replace(`${name}: `, `${name} `), labels));
}

function optionsIn(text) {
  return text.match(option) ?? [];
}

/** A text with the labels of fields in place of options, as a sentence. */
function sentence(text, labels) {
  const plain = advice.reduce((words, pattern) => words.replace(pattern, ""), text).replace(option, (name) => labels[fieldOfOption[name]] ?? name).trim();
  return plain === "" ? "" : withFullStop(plain[0].toUpperCase() + plain.slice(1));
}
