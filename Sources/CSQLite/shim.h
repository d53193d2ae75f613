#pragma once

#include <sqlite3.h>

// The size of an allocated block: Swift's Glibc module leaves <malloc.h> out.
#ifdef __linux__
#include <malloc.h>
static inline size_t larder_block_size(const void *_Nonnull block) { return malloc_usable_size((void *)block); }
#else
#include <malloc/malloc.h>
static inline size_t larder_block_size(const void *_Nonnull block) { return malloc_size(block); }
#endif
