#ifndef TIDEGATE_CBIRTHTIME_H
#define TIDEGATE_CBIRTHTIME_H

#include <stdint.h>

/* The time at which a file was created (its birth time), in nanoseconds since 1970. 0 if the file system does not keep
   this time, or the file cannot be read. Foundation gives another time of the file in that case, which may change. */
int64_t tidegate_birth_time(const char *path);

#endif
