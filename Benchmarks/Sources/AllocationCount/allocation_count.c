#include "allocation_count.h"

#include <stdatomic.h>
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#ifdef __GLIBC__
#define CAN_COUNT 1
#else
#define CAN_COUNT 0
#endif

static atomic_llong allocations;
static atomic_int is_counting;

void allocation_count_start(void) {
  atomic_store(&allocations, 0);
  atomic_store(&is_counting, 1);
}

long long allocation_count_stop(void) {
  atomic_store(&is_counting, 0);
  return CAN_COUNT ? atomic_load(&allocations) : -1;
}

void allocation_trim(void) {
#if CAN_COUNT
  malloc_trim(0);
#endif
}

#if CAN_COUNT
// A program's own malloc stands before the C library's, for every library in the process. What aligned_alloc and its like
// hand out comes from the same heap, so free takes it too; their calls are not counted.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void __libc_free(void *memory);

static inline void note(void) {
  if (atomic_load_explicit(&is_counting, memory_order_relaxed))
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
  note();
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  note();
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  note();
  return __libc_realloc(memory, size);
}

void free(void *memory) { __libc_free(memory); }
#endif
