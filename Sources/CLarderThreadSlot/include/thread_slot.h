// Two pointers per thread, null at first: Swift has no thread-local variables. A pthread key costs 2 ns more at each of the
// seven or eight places where an object asks for the row that it is made of.
#pragma once

// The row that an object is being made of.
void *_Nullable larder_thread_slot(void);
void larder_set_thread_slot(void *_Nullable pointer);

// The space whose closure runs.
void *_Nullable larder_thread_space(void);
void larder_set_thread_space(void *_Nullable pointer);
