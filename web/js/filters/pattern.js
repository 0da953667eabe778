// Regular expressions that stand for plain texts.

const special = /[\\^$.*+?()[\]{}|/-]/g;

/** The regular expression that matches a text literally. */
export function escaped(text) {
  return text.replace(special, "\\$&");
}

/** The condition that a field contains a text, in upper or lower case. */
export function containing(text) {
  return { $regex: escaped(text), $options: "i" };
}

/** The text that a regular expression matches literally; null for a pattern that `escaped` does not return. */
export function literalOf(pattern) {
  const text = pattern.replace(/\\([^A-Za-z0-9])/g, "$1");
  return escaped(text) === pattern ? text : null;
}
