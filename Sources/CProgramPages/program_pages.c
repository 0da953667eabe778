/* For dl_iterate_phdr. In a module map, this definition would conflict with Swift's module of the C library. */
#define _GNU_SOURCE

#include "CProgramPages.h"

#ifdef __linux__

#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static int has_relocated_code(const struct dl_phdr_info *object) {
  for (int i = 0; i < object->dlpi_phnum; i++) {
    if (object->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const ElfW(Dyn) *entry = (const ElfW(Dyn) *) (object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; entry++) {
      if (entry->d_tag == DT_TEXTREL) return 1;
      if (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL)) return 1;
    }
  }
  return 0;
}

/* Without relocated code, each page of a segment that is not writable is the page of the file. */
static int unmap_object(struct dl_phdr_info *object, size_t size, void *unused) {
  (void) size;
  (void) unused;
  if (has_relocated_code(object)) return 0;
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

/* dl_iterate_phdr(3) lets no thread load or unload a library meanwhile. */
void tidegate_unmap_program(void) { dl_iterate_phdr(unmap_object, NULL); }

#else

void tidegate_unmap_program(void) {}

#endif
