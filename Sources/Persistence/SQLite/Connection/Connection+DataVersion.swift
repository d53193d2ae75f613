internal import CLarderSQLite

extension Connection {
  /// A number that changes with every commit that this connection has made, or has seen at the beginning of a
  /// transaction. Nil if it is not known. Runs no statement.
  var dataVersion: UInt32? {
    guard isOpen else { return nil }
    var version: UInt32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return code == SQLITE_OK ? version : nil
  }

  /// A number that grows by one with every commit of any connection, as long as the store is open anywhere. Nil if it
  /// is not known.
  var commitCount: UInt32? { isOpen ? LogIndex(of: handle)?.commits : nil }

  /// A number that changes with every commit that other connections have made. Reading it accesses the file.
  func foreignDataVersion() throws(PersistenceError) -> Int64? {
    try statement("PRAGMA data_version").integer()
  }
}
