#ifndef TIDEGATE_CZLIB_SHIM_H
#define TIDEGATE_CZLIB_SHIM_H

#include <zlib.h>

/* Prepares a compression in gzip format. A wrapper, because `deflateInit2` is a macro. 15 is the window size in bits; adding 16
   selects the gzip format (zlib.h). */
static inline int tidegate_deflate_init_gzip(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

#endif
