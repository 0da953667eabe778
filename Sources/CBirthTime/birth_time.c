/* glibc declares statx only for GNU sources. */
#define _GNU_SOURCE
#include "CBirthTime.h"

#include <fcntl.h>
#include <sys/stat.h>

static int64_t nanoseconds(int64_t seconds, int64_t rest) { return seconds * 1000000000 + rest; }

int64_t tidegate_birth_time(const char *path) {
#ifdef __APPLE__
  struct stat status;
  if (stat(path, &status) != 0) return 0;
  return nanoseconds(status.st_birthtimespec.tv_sec, status.st_birthtimespec.tv_nsec);
#else
  struct statx status;
  if (statx(AT_FDCWD, path, 0, STATX_BTIME, &status) != 0 || (status.stx_mask & STATX_BTIME) == 0) return 0;
  return nanoseconds(status.stx_btime.tv_sec, status.stx_btime.tv_nsec);
#endif
}
