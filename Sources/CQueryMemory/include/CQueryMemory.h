#ifndef TIDEGATE_CQUERYMEMORY_H
#define TIDEGATE_CQUERYMEMORY_H

#include <stdint.h>
#include <sqlite3.h>

/* Bounds the memory that SQLite allocates for one query. A query runs on one thread from its begin to its end, so the account of a
   query belongs to its thread, and costs no lock. Other work of SQLite, such as writes, has no account and no bound.

   At its bound a query is interrupted (sqlite3_interrupt). No allocation fails, because a failed one could leave other code of the
   process, such as SQL functions, without its text. SQLite looks for an interruption between two rows, and between two conditions if
   they are written as CASE expressions. So a query exceeds its bound at most by the memory for one condition on one row. */

/* The bytes that each query may use without a share of the common limit. */
#define TIDEGATE_QUERY_MEMORY_FREE (8 << 20)
/* The bytes that all queries of the process may use together beyond these. */
#define TIDEGATE_QUERY_MEMORY_SHARED_MAX (256 << 20)

/* What a query has exceeded. */
enum {
  /* nothing */
  TIDEGATE_QUERY_MEMORY_WITHIN = 0,
  /* its own bound */
  TIDEGATE_QUERY_MEMORY_OWN = 1,
  /* the memory that all queries share, and that others have in use */
  TIDEGATE_QUERY_MEMORY_SHARED = 2,
};

struct tidegate_query_memory {
  sqlite3 *connection; /* NULL without a query */
  int64_t bytes_max;
  int64_t used; /* negative after the release of memory that an earlier query has allocated */
  int64_t granted; /* the part of `used` that needs no further grant */
  int excess;
};

/* Opens an account for the calling thread. Returns the present account, for `tidegate_query_memory_end`.
   - bytes_max: the bound of the query in bytes */
struct tidegate_query_memory tidegate_query_memory_begin(sqlite3 *connection, int64_t bytes_max);

/* Closes the account, and continues the one before it. Returns what the query has exceeded. */
int tidegate_query_memory_end(struct tidegate_query_memory before);

/* The largest number of bytes of the latest query of the calling thread that has exceeded a bound; 0 before. */
int64_t tidegate_query_memory_peak(void);

/* What the present query has exceeded. */
int tidegate_query_memory_excess(void);

/* Clears the recorded excess, so that the query can run a second statement after it has released memory. */
void tidegate_query_memory_go_on(void);

#endif
