#ifndef TIDEGATE_CTEXTSEARCH_H
#define TIDEGATE_CTEXTSEARCH_H

#include <sqlite3.h>

/* Adds the SQL function parse_mentions(json, text, ignores_case) to a connection. It is false only if no string in the
   JSON contains the text. It reads the JSON as bytes, in a small part of the time that a search of its fields takes.
   - json: a JSON text. Its ASCII letters and digits are not written as escapes.
   - text: ASCII characters, without quotation marks, backslashes, slashes and control characters. In lower case if
     ignores_case is 1.
   - ignores_case: 1 if upper and lower case are equal, as in Unicode's case folding; 0 otherwise.
   Returns SQLite's result code. */
int tidegate_add_mentions(sqlite3 *connection);

#endif
