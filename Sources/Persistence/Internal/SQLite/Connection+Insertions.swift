internal import CSQLite

extension Connection {
  /// From here on ``hasInserted`` tells of new rows only.
  func forgetLastInsertion() { sqlite3_set_last_insert_rowid(handle, 0) }

  /// Whether a row was inserted since ``forgetLastInsertion()``. One that an UPSERT has changed does not count.
  var hasInserted: Bool { sqlite3_last_insert_rowid(handle) != 0 }
}
