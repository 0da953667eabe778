#ifndef TIDEGATE_CPROGRAMPAGES_H
#define TIDEGATE_CPROGRAMPAGES_H

/* Removes the unchanged pages of the program and its libraries from the memory of the process, on Linux. They stay in the page cache, and
   the next access maps them again (madvise(2)). */
void tidegate_unmap_program(void);

#endif
