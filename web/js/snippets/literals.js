// Values as literals of programming languages. Field values are hostile: each text is quoted, and characters that change the
// direction or the look of source code are written as escapes.

/** Controls, separators of lines, and characters without a width or with an effect on the direction of text. */
const invisible = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** The escapes of a character, one for each of its UTF-16 code units. */
function escape(character) {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/** A value as JSON that shows all of its characters. */
export function jsonLiteral(value, indent) {
  return JSON.stringify(value, null, indent).replace(invisible, (character) => (character === "\n" ? character : escape(character)));
}

/** A value as a literal of JavaScript, in which the name `__proto__` does not set a prototype. */
export function scriptLiteral(value, indent) {
  return jsonLiteral(value, indent).replace(/(?<!\\)"__proto__":/g, '["__proto__"]:');
}

/** A text as a word of a POSIX shell. */
export function shellWord(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A value as a literal of Python, in which each nested level is indented. */
export function pythonLiteral(value, depth = 0) {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return jsonLiteral(value);
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => pythonLiteral(item, depth + 1))
    : Object.entries(value).map(([name, item]) => `${jsonLiteral(name)}: ${pythonLiteral(item, depth + 1)}`);
  const [open, close] = isList ? "[]" : "{}";
  return block(items, open, close, depth);
}

/** Items between brackets: on one line if they are short, otherwise one per line. */
export function block(items, open, close, depth = 0) {
  if (items.length === 0) return `${open}${close}`;
  const line = `${open}${items.join(", ")}${close}`;
  if (line.length < 72 && !line.includes("\n")) return line;
  const pad = "    ".repeat(depth + 1);
  return `${open}\n${items.map((item) => `${pad}${item},\n`).join("")}${"    ".repeat(depth)}${close}`;
}

/** A text as a literal of Swift. Swift has no literal for an unpaired surrogate, which becomes the replacement character. */
export function swiftText(text) {
  const plain = text.toWellFormed().replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return `"${plain.replace(invisible, (character) => `\\u{${character.codePointAt(0).toString(16)}}`)}"`;
}
