#include "thread_slot.h"

#include <stdatomic.h>

#ifdef __APPLE__
#include <malloc/malloc.h>
#else
#include <malloc.h>
#endif

static _Thread_local void *slot;
static _Thread_local void *space;
static _Thread_local void *rows;
static _Thread_local uint64_t row;
static atomic_uint_fast64_t blocks;

void *larder_thread_slot(void) { return slot; }

void larder_set_thread_slot(void *pointer) { slot = pointer; }

void *larder_thread_space(void) { return space; }

void larder_set_thread_space(void *pointer) { space = pointer; }

void *larder_thread_rows(void) { return rows; }

void larder_set_thread_rows(void *pointer) { rows = pointer; }

uint64_t larder_next_row(void) {
  // Each thread numbers on in a block of its own, so that threads do not share a cache line.
  if ((uint32_t)row == 0) row = (atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed) + 1) << 32 | 1;
  return row++;
}

size_t larder_allocated_size(const void *memory) {
#ifdef __APPLE__
  return malloc_size(memory);
#else
  return malloc_usable_size((void *)memory);
#endif
}
