/* glibc declares memmem only for GNU sources. */
#define _GNU_SOURCE
#include "CTextSearch.h"

#include <string.h>

static unsigned char lower(unsigned char c) { return c >= 'A' && c <= 'Z' ? c | 0x20 : c; }

/* Whether two bytes may begin a character that is not ASCII and equals ASCII letters without regard to case: ß and ẞ
   (ss), İ (i), ŉ (n), ſ (s), ǰ (j), ẖ to ẚ (h, t, w, y, a), the kelvin sign (k), and the ligatures from ﬀ to ﬆ. */
static int may_equal_ascii(unsigned char first, unsigned char second) {
  switch (first) {
  case 0xC3: return second == 0x9F;
  case 0xC4: return second == 0xB0;
  case 0xC5: return second == 0x89 || second == 0xBF;
  case 0xC7: return second == 0xB0;
  case 0xE1: return second == 0xBA;
  case 0xE2: return second == 0x84;
  case 0xEF: return second == 0xAC;
  default: return 0;
  }
}

static int may_contain(const unsigned char *json, size_t length, const unsigned char *text, size_t size) {
  for (size_t at = 0; at < length; at++) {
    unsigned char c = json[at];
    if (c >= 0x80) {
      if (at + 1 < length && may_equal_ascii(c, json[at + 1])) return 1;
      continue;
    }
    if (lower(c) != text[0] || length - at < size) continue;
    size_t same = 1;
    while (same < size && lower(json[at + same]) == text[same]) same++;
    if (same == size) return 1;
  }
  return 0;
}

static void mentions(sqlite3_context *context, int count, sqlite3_value **values) {
  (void) count;
  const unsigned char *json = sqlite3_value_text(values[0]);
  const unsigned char *text = sqlite3_value_text(values[1]);
  if (json == NULL || text == NULL) return sqlite3_result_int(context, 0);
  size_t length = (size_t) sqlite3_value_bytes(values[0]), size = (size_t) sqlite3_value_bytes(values[1]);
  if (size == 0) return sqlite3_result_int(context, 1);
  int found = sqlite3_value_int(values[2]) ? may_contain(json, length, text, size)
                                           : memmem(json, length, text, size) != NULL;
  sqlite3_result_int(context, found);
}

int tidegate_add_mentions(sqlite3 *connection) {
  int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  return sqlite3_create_function_v2(connection, "parse_mentions", 3, flags, NULL, mentions, NULL, NULL, NULL);
}
