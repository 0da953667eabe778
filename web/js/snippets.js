// A call of the gateway as code in several languages. Keys and tokens are placeholders, and never those of the page.

import { javascript } from "./snippets/javascript.js";
import { curl, python } from "./snippets/rest.js";
import { swift } from "./snippets/swift.js";

/** The languages with their labels. */
export const languages = { curl: "curl", javascript: "JavaScript", swift: "Swift", python: "Python" };

const writers = { curl, javascript, swift, python };

/**
 * The code of a call.
 *
 * @param language one of `languages`
 * @param call {base, method, path, query, headers, body}: the gateway's address; the path, with its parts encoded; the parameters and
 *   the headers, as {name: value}; and the body, a JSON value. The values of headers that are secrets become placeholders
 * @param fields the known fields of the object, {name: value}, from which Swift code declares its type
 */
export function snippet(language, call, fields) {
  return writers[language](call, fields);
}
