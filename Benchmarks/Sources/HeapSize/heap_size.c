#include "heap_size.h"

#ifdef __APPLE__
#include <malloc/malloc.h>

size_t bench_heap_size(void) {
  malloc_statistics_t statistics;
  malloc_zone_statistics(NULL, &statistics);
  return statistics.size_in_use;
}
#else
#include <malloc.h>

size_t bench_heap_size(void) {
  struct mallinfo2 info = mallinfo2();
  // Blocks from the heaps, and those large enough to have a mapping of their own.
  return info.uordblks + info.hblkhd;
}
#endif
