#ifndef TIDEGATE_CMALLOC_SHIM_H
#define TIDEGATE_CMALLOC_SHIM_H

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
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

/* Removes the pages of a range of addresses from the memory of the process (madvise(2)). The range must be that of an unchanged private
   mapping of a file on Linux: the next access maps the pages of the file again. */
static inline void tidegate_unmap_pages(uintptr_t start, size_t length) {
  madvise((void *) start, length, MADV_DONTNEED);
}

#endif
