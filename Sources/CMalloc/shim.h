#ifndef TIDEGATE_CMALLOC_SHIM_H
#define TIDEGATE_CMALLOC_SHIM_H

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Makes glibc keep freed memory up to the given size in bytes. Setting the trim threshold disables the automatic adjustment of the
   mmap threshold, so both are set (mallopt(3)). Written in C, because Swift's module of the C library does not include <malloc.h>. */
static inline void tidegate_keep_freed_memory(int bytes) {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, bytes);
  mallopt(M_MMAP_THRESHOLD, bytes);
#else
  (void) bytes;
#endif
}

/* Returns freed memory to the kernel (malloc_trim(3)). */
static inline void tidegate_return_freed_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

#endif
