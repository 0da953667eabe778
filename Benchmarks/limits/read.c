/* A server that does nothing but read, to find the upper limit of read speed: libmicrohttpd and one SQL statement on a gateway's
   database. Each server thread has its own database connection and prepared statement.

     read PORT FILE object SQL   answers GET /classes/:class/:id with one object; ?1 is the id
     read PORT FILE list SQL     answers GET /classes/:class?where={"field":"value"}&… with {"results":[…]}; ?1 is the value

   The SQL returns the JSON of the objects in the column `view`. */
#include "http_server.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static const char *file, *sql;
static int is_list, view_column;
static __thread sqlite3_stmt *statement;

static sqlite3 *open_file(void) {
  sqlite3 *db;
  need(sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK, "cannot open the file");
  /* Memory-mapped reads are SQLite's fastest, because they use the kernel's page cache without a copy. */
  sqlite3_exec(db, "PRAGMA mmap_size = 17179869184", NULL, NULL, NULL);
  return db;
}

static sqlite3_stmt *prepared(void) {
  if (!statement) need(sqlite3_prepare_v2(open_file(), sql, -1, &statement, NULL) == SQLITE_OK, "cannot prepare the SQL");
  return statement;
}

static enum MHD_Result not_found(struct MHD_Connection *connection) {
  static char body[] = "{\"code\":101,\"error\":\"Object not found.\"}";
  return http_answer(connection, MHD_HTTP_NOT_FOUND, body, sizeof body - 1, MHD_RESPMEM_PERSISTENT);
}

static enum MHD_Result object(struct MHD_Connection *connection, const char *url) {
  const char *id = strrchr(url, '/');
  if (!id) return not_found(connection);
  sqlite3_stmt *row = prepared();
  sqlite3_bind_text(row, 1, id + 1, -1, SQLITE_STATIC);
  enum MHD_Result result =
      sqlite3_step(row) == SQLITE_ROW
          ? http_answer(
                connection, MHD_HTTP_OK, (void *) sqlite3_column_text(row, view_column),
                (size_t) sqlite3_column_bytes(row, view_column), MHD_RESPMEM_MUST_COPY)
          : not_found(connection);
  sqlite3_reset(row);
  return result;
}

/* A text buffer that grows. */
struct text {
  char *bytes;
  size_t length, room;
};

static void append(struct text *text, const void *bytes, size_t count) {
  if (text->length + count > text->room) {
    text->room = 2 * (text->length + count);
    text->bytes = realloc(text->bytes, text->room);
  }
  memcpy(text->bytes + text->length, bytes, count);
  text->length += count;
}

static enum MHD_Result list(struct MHD_Connection *connection) {
  /* The value is the text between the last two quotation marks, as in {"group":"g00012"}. */
  const char *where = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "where");
  const char *end = where ? strrchr(where, '"') : NULL;
  if (!end) return not_found(connection);
  const char *begin = end;
  while (begin > where && begin[-1] != '"') begin--;

  sqlite3_stmt *rows = prepared();
  sqlite3_bind_text(rows, 1, begin, (int) (end - begin), SQLITE_STATIC);
  struct text text = {malloc(65536), 0, 65536};
  append(&text, "{\"results\":[", 12);
  for (int i = 0; sqlite3_step(rows) == SQLITE_ROW; i++) {
    if (i > 0) append(&text, ",", 1);
    append(&text, sqlite3_column_text(rows, view_column), (size_t) sqlite3_column_bytes(rows, view_column));
  }
  sqlite3_reset(rows);
  append(&text, "]}", 2);
  return http_answer(connection, MHD_HTTP_OK, text.bytes, text.length, MHD_RESPMEM_MUST_FREE);
}

static enum MHD_Result answer(
    void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
    const char *upload, size_t *upload_size, void **request) {
  static int is_begun;
  (void) context, (void) method, (void) version, (void) upload, (void) upload_size;
  if (!*request) {
    *request = &is_begun;
    return MHD_YES;
  }
  return is_list ? list(connection) : object(connection, url);
}

static void find_view_column(void) {
  int columns = sqlite3_column_count(prepared());
  while (view_column < columns && strcmp(sqlite3_column_name(statement, view_column), "view") != 0) view_column++;
  need(view_column < columns, "the SQL has no column 'view'");
}

int main(int count, char **arguments) {
  need(count == 5, "usage: read PORT FILE object|list SQL");
  /* Turns off SQLite's memory statistics, which need a lock. The gateway turns them off too. */
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  file = arguments[2];
  is_list = strcmp(arguments[3], "list") == 0;
  sql = arguments[4];
  find_view_column();
  http_server_run(atoi(arguments[1]), (struct http_handler){.answer = answer});
}
