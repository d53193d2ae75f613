// Counts the allocations of the whole process, those of the system libraries among them.
#pragma once

/// Starts counting from zero.
void allocation_count_start(void);

/// Stops and returns how many calls of malloc, calloc and realloc there were; negative where they cannot be counted.
long long allocation_count_stop(void);

/// Gives memory that lies free back to the system, where that can be asked for.
void allocation_trim(void);
