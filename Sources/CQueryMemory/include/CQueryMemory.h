#ifndef TIDEGATE_CQUERYMEMORY_H
#define TIDEGATE_CQUERYMEMORY_H

#include <stdint.h>
#include <sqlite3.h>

/* Limits the memory that SQLite allocates for one query. An account counts the bytes of a query. A query runs on one
   thread from beginning to end, so its account is a thread-local variable and needs no lock. Other work of SQLite, such
   as writes, is not counted.

   A query that exceeds its limit is interrupted (sqlite3_interrupt). Its allocations still succeed, because other code
   of the process, such as SQL functions, might not handle a failed allocation. SQLite checks for an interruption
   between two rows, and between two conditions that are written as CASE expressions. So a query exceeds its limit at
   most by the memory for one condition on one row. */

/* The bytes that each query may use before its memory counts towards TIDEGATE_QUERY_MEMORY_SHARED_MAX. */
#define TIDEGATE_QUERY_MEMORY_FREE (8 << 20)
/* The bytes that all queries of the process may use together, beyond the first bytes of each query
   (TIDEGATE_QUERY_MEMORY_FREE). */
#define TIDEGATE_QUERY_MEMORY_SHARED_MAX (256 << 20)

/* The memory limit that a query has exceeded. */
enum {
  /* no limit */
  TIDEGATE_QUERY_MEMORY_WITHIN = 0,
  /* the query's own limit */
  TIDEGATE_QUERY_MEMORY_OWN = 1,
  /* the limit for all queries of the process together */
  TIDEGATE_QUERY_MEMORY_SHARED = 2,
};

struct tidegate_query_memory {
  sqlite3 *connection; /* NULL without a query */
  int64_t bytes_max;
  int64_t used; /* in bytes; negative if the query has released memory that an earlier query allocated */
  int64_t granted; /* the bytes that the query may use before it takes more of the shared memory */
  int excess;
};

/* Starts to count the memory of a query on the calling thread. Returns the previous account of the thread, which
   `tidegate_query_memory_end` restores.
   - bytes_max: the limit of the query in bytes */
struct tidegate_query_memory tidegate_query_memory_begin(sqlite3 *connection, int64_t bytes_max);

/* Stops counting the memory of the query, and restores the previous account. Returns the limit that the query has
   exceeded. */
int tidegate_query_memory_end(struct tidegate_query_memory before);

/* The peak memory use, in bytes, of the latest query on the calling thread that exceeded a limit; 0 if none has. */
int64_t tidegate_query_memory_peak(void);

/* The limit that the running query has exceeded. */
int tidegate_query_memory_excess(void);

/* Clears the recorded excess, so that the query can run a second statement after it has released memory. */
void tidegate_query_memory_go_on(void);

#endif
