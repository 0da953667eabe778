#ifndef TIDEGATE_CSQLITE_SHIM_H
#define TIDEGATE_CSQLITE_SHIM_H

#include <sqlite3.h>

/* Turns SQLite's memory statistics off. A wrapper, because `sqlite3_config` is variadic. Has no effect once SQLite is in use. */
static inline int tidegate_sqlite_stop_counting_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

#endif
