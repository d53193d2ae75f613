#pragma once

#include <sqlite3.h>

/// The byte of the SQL text at which SQLite found an error, or -1 if it is not known (before SQLite 3.38).
static inline int larder_error_offset(sqlite3 *database) {
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_error_offset(database);
#else
  (void)database;
  return -1;
#endif
}
