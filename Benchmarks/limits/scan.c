/* Measures the upper limit of the speed of a query without an index: runs the SQL to the end in this process. Prints the
   milliseconds of each run, one per line. The first run only fills the cache and is not printed.

     scan FILE RUNS SQL */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec * 1e3 + (double) now.tv_nsec / 1e6;
}

int main(int count, char **arguments) {
  sqlite3 *db;
  sqlite3_stmt *rows;
  /* Turns off SQLite's memory statistics, which need a lock. The gateway turns them off too. */
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  if (count != 4 || sqlite3_open_v2(arguments[1], &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK ||
      sqlite3_exec(db, "PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY", NULL, NULL, NULL) != SQLITE_OK ||
      sqlite3_prepare_v2(db, arguments[3], -1, &rows, NULL) != SQLITE_OK) {
    fprintf(stderr, "usage: scan FILE RUNS SQL\n");
    return 1;
  }
  int columns = sqlite3_column_count(rows);
  for (int run = 0; run <= atoi(arguments[2]); run++) {
    double begin = milliseconds();
    while (sqlite3_step(rows) == SQLITE_ROW)
      for (int i = 0; i < columns; i++) sqlite3_column_text(rows, i);
    sqlite3_reset(rows);
    if (run > 0) printf("%.3f\n", milliseconds() - begin);
  }
  sqlite3_finalize(rows);
  sqlite3_close(db);
}
