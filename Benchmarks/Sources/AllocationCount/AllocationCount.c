#include "AllocationCount.h"

#include <stddef.h>

#if defined(__linux__) && defined(__GLIBC__)
#include <errno.h>

// The program's own malloc takes the place of the C library's in every library that it loads, and hands on to it.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *pointer);

static _Thread_local int64_t calls = 0;

void *malloc(size_t size) {
  calls += 1;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  calls += 1;
  return __libc_calloc(count, size);
}

void *realloc(void *pointer, size_t size) {
  calls += 1;
  return __libc_realloc(pointer, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  calls += 1;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  calls += 1;
  void *memory = __libc_memalign(alignment, size);
  if (memory == NULL) { return ENOMEM; }
  *result = memory;
  return 0;
}

void free(void *pointer) { __libc_free(pointer); }

int64_t allocation_count(void) { return calls; }

#else

int64_t allocation_count(void) { return -1; }

#endif
