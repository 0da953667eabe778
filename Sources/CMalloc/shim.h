#ifndef TIDEGATE_CMALLOC_SHIM_H
#define TIDEGATE_CMALLOC_SHIM_H

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Swift's module of the C library has no <malloc.h>. Once the first is set, the second does not follow any more what is in use
   (mallopt(3)). */
static inline void tidegate_keep_freed_memory(int bytes) {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, bytes);
  mallopt(M_MMAP_THRESHOLD, bytes);
#else
  (void) bytes;
#endif
}

#endif
