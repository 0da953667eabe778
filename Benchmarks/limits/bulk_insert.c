/* Measures the upper limit of the write speed of a first sync. Copies all objects and changes from a replica's database into a
   new file with the same tables and indexes, in one durable transaction. Prints the seconds spent on writing, without the time
   for reading.

     bulk_insert SYNCED-FILE NEW-FILE */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Rows are read in groups of `rows_at_once`, so that the time for reading can be left out of the measurement. */
enum { rows_at_once = 10000, columns_max = 32 };

static void need(int is_fine, sqlite3 *db) {
  if (is_fine) return;
  fprintf(stderr, "bulk_insert: %s\n", sqlite3_errmsg(db));
  exit(1);
}

static void run(sqlite3 *db, const char *sql) { need(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, db); }

static sqlite3_stmt *prepared(sqlite3 *db, const char *sql) {
  sqlite3_stmt *statement;
  need(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK, db);
  return statement;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

/* Creates in `to` the tables `objects` and `changes` of `from`, then their indexes. Leaves out triggers, because the upper limit
   does not include their work, and the indexes of constraints, which SQLite creates with the table. */
static void copy_schema(sqlite3 *from, sqlite3 *to) {
  sqlite3_stmt *parts = prepared(
      from,
      "SELECT sql FROM sqlite_schema WHERE tbl_name IN ('objects', 'changes') AND type IN ('table', 'index') "
      "AND sql IS NOT NULL ORDER BY type DESC");
  while (sqlite3_step(parts) == SQLITE_ROW) run(to, (const char *) sqlite3_column_text(parts, 0));
  sqlite3_finalize(parts);
}

static int read_rows(sqlite3_stmt *rows, int columns, sqlite3_value *values[][columns_max]) {
  int count = 0;
  while (count < rows_at_once && sqlite3_step(rows) == SQLITE_ROW) {
    for (int i = 0; i < columns; i++) values[count][i] = sqlite3_value_dup(sqlite3_column_value(rows, i));
    count++;
  }
  return count;
}

/* Copies all rows of a table. Returns the seconds spent on writing. */
static double copy_rows(sqlite3 *from, sqlite3 *to, const char *table) {
  static sqlite3_value *values[rows_at_once][columns_max];
  char sql[256];
  snprintf(sql, sizeof sql, "SELECT * FROM %s ORDER BY rowid", table);
  sqlite3_stmt *rows = prepared(from, sql);
  int columns = sqlite3_column_count(rows);
  need(columns <= columns_max, from);
  int length = snprintf(sql, sizeof sql, "INSERT INTO %s VALUES (?", table);
  for (int i = 1; i < columns; i++) length += snprintf(sql + length, sizeof sql - (size_t) length, ",?");
  snprintf(sql + length, sizeof sql - (size_t) length, ")");
  sqlite3_stmt *insert = prepared(to, sql);

  double taken = 0;
  int count = rows_at_once;
  /* A group with fewer than `rows_at_once` rows ends the loop. Another sqlite3_step would run the SELECT again. */
  while (count == rows_at_once) {
    count = read_rows(rows, columns, values);
    double begin = seconds();
    for (int row = 0; row < count; row++) {
      for (int i = 0; i < columns; i++) sqlite3_bind_value(insert, i + 1, values[row][i]);
      need(sqlite3_step(insert) == SQLITE_DONE, to);
      sqlite3_reset(insert);
    }
    taken += seconds() - begin;
    for (int row = 0; row < count; row++)
      for (int i = 0; i < columns; i++) sqlite3_value_free(values[row][i]);
  }
  sqlite3_finalize(rows);
  sqlite3_finalize(insert);
  return taken;
}

int main(int count, char **arguments) {
  if (count != 3) {
    fprintf(stderr, "usage: bulk_insert SYNCED-FILE NEW-FILE\n");
    return 1;
  }
  /* Turns off SQLite's memory statistics, which need a lock. The gateway turns them off too. */
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  sqlite3 *from, *to;
  need(sqlite3_open_v2(arguments[1], &from, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK, from);
  need(sqlite3_open(arguments[2], &to) == SQLITE_OK, to);
  /* The page cache is larger than the gateway's: a program that measures an upper limit may use any amount of memory. */
  run(to, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -256000");
  copy_schema(from, to);
  run(to, "BEGIN IMMEDIATE");
  double taken = copy_rows(from, to, "objects") + copy_rows(from, to, "changes");
  double begin = seconds();
  run(to, "COMMIT");
  printf("%.6f\n", taken + seconds() - begin);
  sqlite3_close(to);
  sqlite3_close(from);
}
