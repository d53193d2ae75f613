#pragma once

#include <stddef.h>

/// The bytes that the process has allocated and not freed, as its allocator counts them.
size_t bench_heap_size(void);
