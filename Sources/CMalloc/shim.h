#ifndef TIDEGATE_CMALLOC_SHIM_H
#define TIDEGATE_CMALLOC_SHIM_H

/* For dl_iterate_phdr. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <stdint.h>
#include <stdlib.h>
#ifdef __linux__
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>
#endif
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

#ifdef __linux__
/* Removes the pages of the segments of a loaded object that are not writable, unless relocations have changed them. */
static inline int tidegate_unmap_object(struct dl_phdr_info *object, size_t size, void *unused) {
  (void) size;
  (void) unused;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    if (object->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const ElfW(Dyn) *entry = (const ElfW(Dyn) *) (object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; entry++) {
      if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL))) return 0;
    }
  }
  uintptr_t page = (uintptr_t) sysconf(_SC_PAGESIZE);
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W)) continue;
    uintptr_t start = (object->dlpi_addr + segment->p_vaddr) / page * page;
    uintptr_t end = (object->dlpi_addr + segment->p_vaddr + segment->p_filesz) / page * page;
    if (start < end) madvise((void *) start, end - start, MADV_DONTNEED);
  }
  return 0;
}
#endif

/* Removes the unchanged pages of the program and its libraries from the memory of the process. They stay in the page cache, and the next
   access maps them again (madvise(2)). dl_iterate_phdr(3) lets no thread load or unload a library meanwhile. */
static inline void tidegate_unmap_program(void) {
#ifdef __linux__
  dl_iterate_phdr(tidegate_unmap_object, NULL);
#endif
}

#endif
