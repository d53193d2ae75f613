// Three pointers per thread, null at first: Swift has no thread-local variables. A pthread key costs 2 ns more at each
// of the seven or eight places where an object asks for the row that it is made of.
#pragma once

#include <stddef.h>
#include <stdint.h>

// The row that an object is being made of.
void *_Nullable larder_thread_slot(void);
void larder_set_thread_slot(void *_Nullable pointer);

// The space whose closure runs.
void *_Nullable larder_thread_space(void);
void larder_set_thread_space(void *_Nullable pointer);

// The rows of the closures that are making a query.
void *_Nullable larder_thread_rows(void);
void larder_set_thread_rows(void *_Nullable pointer);

// A number that this process has not returned before. Never 0.
uint64_t larder_next_row(void);

// The size of an allocation, or a little more. The Swift module of Glibc does not declare the function.
size_t larder_allocated_size(const void *_Nonnull memory);
