/** The maximum number of characters of an upload's name. Parse Server accepts 128. */
const charactersMax = 100;

/**
 * A file's name in the form that Parse Server accepts: ASCII letters, digits, spaces and `_.@~-`, beginning with a letter, a
 * digit or `_`. Accents are dropped, and other characters become `_`. A long name is cut at the beginning, so that the extension
 * stays. If no character is left, the name is `file`.
 */
export function uploadName(name) {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").replace(/[^A-Za-z0-9_.@ ~-]/gu, "_");
  return plain.slice(-charactersMax).replace(/^[^A-Za-z0-9_]+/u, "") || "file";
}
