/* A server that does nothing but create objects, to find the upper limit of the speed of durable creates: libmicrohttpd with one
   writer thread. All requests that arrive during a transaction share the next transaction. A request is answered when its
   transaction is on disk (WAL, synchronous=FULL).

     insert PORT FILE CLASS

   FILE is a gateway's database. The new rows go into its table `objects`, and SQLite updates the indexes of the table. */
#include "http_server.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { body_bytes_max = 4096, id_length = 10, stamp_length = 24 };

/* One create request. */
struct create {
  struct create *next;
  struct MHD_Connection *connection;
  int is_written;
  size_t length;
  char id[id_length + 1];
  char stamp[stamp_length + 1];
  char body[body_bytes_max];
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_come = PTHREAD_COND_INITIALIZER;
static struct create *waiting; /* guarded by `mutex` */
static int is_stopping; /* guarded by `mutex` */
static const char *class_name;

/* Makes an object id in Parse Server's form: ten letters and digits. */
static void make_id(char *id) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  static uint64_t state = 88172645463325252u;
  for (int i = 0; i < id_length; i++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    id[i] = letters[state % (sizeof letters - 1)];
  }
  id[id_length] = 0;
}

static int64_t make_stamp(char *stamp) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  int milliseconds = (int) (now.tv_nsec / 1000000);
  struct tm parts;
  gmtime_r(&now.tv_sec, &parts);
  strftime(stamp, stamp_length + 1, "%Y-%m-%dT%H:%M:%S", &parts);
  snprintf(stamp + 19, 6, ".%03dZ", milliseconds);
  return (int64_t) now.tv_sec * 1000 + milliseconds;
}

static void insert(sqlite3_stmt *row, struct create *create) {
  char view[body_bytes_max + 128];
  int64_t now = make_stamp(create->stamp);
  make_id(create->id);
  /* Writes the stored JSON: objectId, createdAt, updatedAt, then the fields of the request body. */
  int length = snprintf(
      view, sizeof view, "{\"objectId\":\"%s\",\"createdAt\":\"%s\",\"updatedAt\":\"%s\",%.*s", create->id, create->stamp,
      create->stamp, (int) create->length - 1, create->body + 1);
  sqlite3_bind_text(row, 1, class_name, -1, SQLITE_STATIC);
  sqlite3_bind_text(row, 2, create->id, id_length, SQLITE_STATIC);
  sqlite3_bind_text(row, 3, view, length, SQLITE_STATIC);
  sqlite3_bind_int64(row, 4, now);
  sqlite3_bind_int64(row, 5, now);
  need(sqlite3_step(row) == SQLITE_DONE, "cannot insert");
  sqlite3_reset(row);
}

static void run(sqlite3 *db, const char *sql) {
  char *error = NULL;
  need(sqlite3_exec(db, sql, NULL, NULL, &error) == SQLITE_OK, error ? error : sql);
}

static void *write_groups(void *opaque) {
  sqlite3 *db = opaque;
  sqlite3_stmt *row;
  need(
      sqlite3_prepare_v2(
          db,
          "INSERT INTO objects (class, id, view, created_at, updated_at, base_kind) VALUES (?, ?, ?, ?, ?, 0)", -1, &row,
          NULL) == SQLITE_OK,
      "cannot prepare the insert");
  while (1) {
    pthread_mutex_lock(&mutex);
    while (!waiting && !is_stopping) pthread_cond_wait(&has_come, &mutex);
    struct create *group = waiting;
    waiting = NULL;
    pthread_mutex_unlock(&mutex);
    if (!group) return NULL;

    run(db, "BEGIN IMMEDIATE");
    for (struct create *create = group; create; create = create->next) insert(row, create);
    run(db, "COMMIT");
    while (group) {
      struct create *create = group;
      /* Reads `next` first, because a server thread may free `create` as soon as the connection is resumed. */
      group = create->next;
      create->is_written = 1;
      MHD_resume_connection(create->connection);
    }
  }
}

static enum MHD_Result answer_written(struct create *create) {
  char body[128];
  int length =
      snprintf(body, sizeof body, "{\"objectId\":\"%s\",\"createdAt\":\"%s\"}", create->id, create->stamp);
  return http_answer(create->connection, MHD_HTTP_CREATED, body, (size_t) length, MHD_RESPMEM_MUST_COPY);
}

static enum MHD_Result answer(
    void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
    const char *upload, size_t *upload_size, void **request) {
  (void) context, (void) url, (void) method, (void) version;
  struct create *create = *request;
  if (!create) {
    create = malloc(sizeof *create);
    create->connection = connection;
    create->is_written = 0;
    create->length = 0;
    *request = create;
    return MHD_YES;
  }
  if (*upload_size > 0) {
    if (create->length + *upload_size > body_bytes_max) return MHD_NO;
    memcpy(create->body + create->length, upload, *upload_size);
    create->length += *upload_size;
    *upload_size = 0;
    return MHD_YES;
  }
  if (create->is_written) return answer_written(create);
  if (create->length < 2) return MHD_NO;
  MHD_suspend_connection(connection);
  pthread_mutex_lock(&mutex);
  create->next = waiting;
  waiting = create;
  pthread_cond_signal(&has_come);
  pthread_mutex_unlock(&mutex);
  return MHD_YES;
}

static void completed(
    void *context, struct MHD_Connection *connection, void **request, enum MHD_RequestTerminationCode reason) {
  (void) context, (void) connection, (void) reason;
  free(*request);
}

static pthread_t writer;

static void stop_writing(void) {
  pthread_mutex_lock(&mutex);
  is_stopping = 1;
  pthread_cond_signal(&has_come);
  pthread_mutex_unlock(&mutex);
  pthread_join(writer, NULL);
}

int main(int count, char **arguments) {
  need(count == 4, "usage: insert PORT FILE CLASS");
  /* Turns off SQLite's memory statistics, which need a lock. The gateway turns them off too. */
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  class_name = arguments[3];
  sqlite3 *db;
  need(sqlite3_open_v2(arguments[2], &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK, "cannot open");
  run(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -256000");
  need(pthread_create(&writer, NULL, write_groups, db) == 0, "cannot make a thread");
  http_server_run(
      atoi(arguments[1]), (struct http_handler){.answer = answer, .completed = completed, .stopping = stop_writing});
  sqlite3_close(db);
}
