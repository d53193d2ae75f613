internal import CLarderSQLite

extension Connection {
  /// Resets ``hasInserted``, which then reports only rows inserted from now on.
  func forgetLastInsertion() { sqlite3_set_last_insert_rowid(handle, 0) }

  /// Whether a row was inserted since ``forgetLastInsertion()``. A row that an UPSERT updated does not count.
  var hasInserted: Bool { sqlite3_last_insert_rowid(handle) != 0 }
}
