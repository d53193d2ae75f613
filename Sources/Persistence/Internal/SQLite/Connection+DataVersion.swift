internal import CSQLite

extension Connection {
  /// Another number after every commit that this connection has made, or has seen at the beginning of a transaction;
  /// nil if it is not known. It costs no statement.
  var dataVersion: UInt32? {
    guard isOpen else { return nil }
    var version: UInt32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return code == SQLITE_OK ? version : nil
  }

  /// Another number after every commit that others have made. It looks at the file.
  func foreignDataVersion() throws(PersistenceError) -> Int64? {
    try statement("PRAGMA data_version").integer()
  }
}
