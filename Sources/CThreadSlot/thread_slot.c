#include "thread_slot.h"

static _Thread_local void *slot;

void *larder_thread_slot(void) { return slot; }

void larder_set_thread_slot(void *pointer) { slot = pointer; }
