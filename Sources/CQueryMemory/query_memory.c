#include "CQueryMemory.h"

#include <stdatomic.h>

static sqlite3_mem_methods system_methods;
static _Thread_local struct tidegate_query_memory account;
static _Thread_local int64_t peak;
static _Atomic int64_t shared_in_use;

/* A query takes shared memory in portions of this many bytes, because each portion costs an atomic operation. */
static const int64_t step = (int64_t) 1 << 20;

static int take_shared(int64_t bytes) {
  int64_t in_use = atomic_fetch_add(&shared_in_use, bytes) + bytes;
  if (in_use <= TIDEGATE_QUERY_MEMORY_SHARED_MAX) return 1;
  atomic_fetch_sub(&shared_in_use, bytes);
  return 0;
}

static void stop(int excess) {
  if (account.excess == TIDEGATE_QUERY_MEMORY_WITHIN || account.used > peak) peak = account.used;
  account.excess = excess;
  sqlite3_interrupt(account.connection);
}

static void count(int64_t bytes) {
  account.used += bytes;
  if (account.used > account.bytes_max) return stop(TIDEGATE_QUERY_MEMORY_OWN);
  if (account.used <= account.granted) return;
  int64_t more = (account.used - account.granted + step - 1) / step * step;
  if (!take_shared(more)) return stop(TIDEGATE_QUERY_MEMORY_SHARED);
  account.granted += more;
}

static void *counting_malloc(int size) {
  void *memory = system_methods.xMalloc(size);
  if (account.connection != NULL && memory != NULL) count(system_methods.xSize(memory));
  return memory;
}

static void counting_free(void *memory) {
  if (account.connection != NULL && memory != NULL) account.used -= system_methods.xSize(memory);
  system_methods.xFree(memory);
}

static void *counting_realloc(void *memory, int size) {
  if (account.connection == NULL) return system_methods.xRealloc(memory, size);
  int64_t before = memory == NULL ? 0 : system_methods.xSize(memory);
  void *moved = system_methods.xRealloc(memory, size);
  if (moved != NULL) count(system_methods.xSize(moved) - before);
  return moved;
}

/* Replaces SQLite's allocator at the start of the program, because SQLite accepts another allocator only before its
   first use. If SQLite refuses, the memory of queries has no limit. */
__attribute__((constructor)) static void install(void) {
  if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &system_methods) != SQLITE_OK) return;
  sqlite3_mem_methods methods = system_methods;
  methods.xMalloc = counting_malloc;
  methods.xFree = counting_free;
  methods.xRealloc = counting_realloc;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
}

struct tidegate_query_memory tidegate_query_memory_begin(sqlite3 *connection, int64_t bytes_max) {
  struct tidegate_query_memory before = account;
  account = (struct tidegate_query_memory) {
      .connection = connection, .bytes_max = bytes_max, .granted = TIDEGATE_QUERY_MEMORY_FREE};
  return before;
}

int tidegate_query_memory_end(struct tidegate_query_memory before) {
  atomic_fetch_sub(&shared_in_use, account.granted - TIDEGATE_QUERY_MEMORY_FREE);
  int excess = account.excess;
  account = before;
  return excess;
}

int64_t tidegate_query_memory_peak(void) { return peak; }

int tidegate_query_memory_excess(void) { return account.excess; }

void tidegate_query_memory_go_on(void) { account.excess = TIDEGATE_QUERY_MEMORY_WITHIN; }
