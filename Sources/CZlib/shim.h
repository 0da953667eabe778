#ifndef TIDEGATE_CZLIB_SHIM_H
#define TIDEGATE_CZLIB_SHIM_H

#include <zlib.h>

/* `deflateInit2` is a macro. 15 bits of window and 16 for the head and tail of gzip (zlib.h). */
static inline int tidegate_deflate_init_gzip(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

#endif
