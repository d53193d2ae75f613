// zlib, and functions for its initializers, which are macros.
#pragma once

#include <zlib.h>

// `window_bits` is 15 for the zlib format, -15 for raw deflate, and 31 for gzip.
static inline int czlib_inflate_init(z_streamp stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}

static inline int czlib_deflate_init(z_streamp stream, int window_bits) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}
