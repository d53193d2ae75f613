internal import CLarderSQLite

/// How long a connection waits for others. SQLite's own wait would not end when the store is suspended.
final class BusyWait {
  /// The next wait takes at most this many milliseconds.
  @exclusivity(unchecked) var limit: Int32
  private let database: OpaquePointer
  private let suspension: StoreSuspension?
  @exclusivity(unchecked) private var waited: Int32 = 0

  /// The handler must live as long as the connection.
  init(on database: OpaquePointer, atMost limit: Int32, _ suspension: StoreSuspension?) {
    self.limit = limit
    self.database = database
    self.suspension = suspension
    sqlite3_busy_handler(
      database,
      { this, count in
        guard let this else { return 0 }
        return Unmanaged<BusyWait>.fromOpaque(this)._withUnsafeGuaranteedRef { $0.wait(after: count) ? 1 : 0 }
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// - Parameter count: How many times the same lock has been waited for.
  private func wait(after count: Int32) -> Bool {
    if count == 0 { waited = 0 }
    let rest = limit - waited
    guard rest > 0, suspension?.isRefusing != true else { return false }
    let milliseconds = min(rest, count < 8 ? 1 << min(count, 4) : 25)
    waited += milliseconds
    BusyWait.pause(database, milliseconds: milliseconds)
    return true
  }

  /// Waits by the clock of the file system, which tests can replace.
  static func pause(_ database: OpaquePointer, milliseconds: Int32) {
    var vfs: UnsafeMutablePointer<sqlite3_vfs>?
    sqlite3_file_control(database, "main", SQLITE_FCNTL_VFS_POINTER, &vfs)
    _ = vfs?.pointee.xSleep?(vfs, milliseconds * 1_000)
  }
}
