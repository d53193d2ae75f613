#include "thread_slot.h"

static _Thread_local void *slot;
static _Thread_local void *space;

void *larder_thread_slot(void) { return slot; }

void larder_set_thread_slot(void *pointer) { slot = pointer; }

void *larder_thread_space(void) { return space; }

void larder_set_thread_space(void *pointer) { space = pointer; }
