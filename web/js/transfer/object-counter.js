// Counts the objects of an export while the page receives it. Each object is one line of the file.

/** The numbers of lines that are not objects, by format: the head of a table, and the first and last line of a class export. */
const otherLines = { ndjson: 0, csv: 1, parse: 2 };
const lineBreak = 0x0a;
const quote = 0x22;

/** Returns {take, count}: `take(bytes)` reads the next bytes of the file, and `count()` returns the number of objects so far. */
export function createObjectCounter(format) {
  // A cell of a table can contain line breaks, in quotes. The JSON formats have none in an object.
  const hasCells = format === "csv";
  let lines = 0;
  let isQuoted = false;
  return {
    take(bytes) {
      for (const byte of bytes) {
        if (byte === lineBreak && !isQuoted) lines += 1;
        else if (byte === quote && hasCells) isQuoted = !isQuoted;
      }
    },
    count: () => Math.max(0, lines - otherLines[format]),
  };
}
