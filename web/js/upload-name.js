/** The maximum number of characters of an upload's name. Parse Server accepts 128. */
const charactersMax = 100;

/**
 * A file's name in the form that Parse Server accepts: ASCII letters, digits, spaces and `_.@~-`, not beginning with a sign. Accents
 * are dropped, and other characters become `_`. It keeps the extension, which tells the file's type.
 */
export function uploadName(name) {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").replace(/[^A-Za-z0-9_.@ ~-]/gu, "_");
  return plain.slice(-charactersMax).replace(/^[^A-Za-z0-9_]+/u, "") || "file";
}
