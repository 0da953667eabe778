#ifndef TIDEGATE_CSQLITE_SHIM_H
#define TIDEGATE_CSQLITE_SHIM_H

#include <sqlite3.h>

/* Turns SQLite's memory statistics off. A wrapper, because `sqlite3_config` is variadic. Has no effect once SQLite is in use. */
static inline int tidegate_sqlite_stop_counting_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/* Makes the plan of a statement independent of its bound values (SQLITE_DBCONFIG_ENABLE_QPSG). A wrapper, because
   `sqlite3_db_config` is variadic. */
static inline int tidegate_sqlite_plan_without_values(sqlite3 *db) {
    return sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_QPSG, 1, (int *)0);
}

#endif
