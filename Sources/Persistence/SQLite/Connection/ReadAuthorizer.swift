internal import CLarderSQLite

/// Lets a connection prepare statements that read, and no others, while ``isPreparing`` is set. Otherwise it allows
/// everything. It can note the columns that statements read.
///
/// It stays installed, because SQLite prepares all statements of a connection again after an authorizer was installed.
final class ReadAuthorizer {
  @exclusivity(unchecked) fileprivate var isPreparing = false
  /// Whether a `SELECT` was authorized. If not, the authorizer was not asked.
  @exclusivity(unchecked) fileprivate var hasSelected = false
  @exclusivity(unchecked) fileprivate var tables: Set<String> = []
  /// Whether a statement of ``SQLQuery`` is running, which may be interrupted.
  @exclusivity(unchecked) var isStepping = false
  /// What all statements read that were prepared since this was set. Nil if it is not noted.
  @exclusivity(unchecked) var noted: Set<ReadColumn>?

  /// The number of SQLite's instructions after which a running statement checks for cancellation. Takes far less than a
  /// millisecond.
  private static let instructions: Int32 = 10_000

  /// Installs the authorizer, which must live until it is removed.
  func install(on database: OpaquePointer) {
    let this = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_set_authorizer(
      database,
      { this, action, first, second, _, _ in
        guard let this else { return SQLITE_DENY }
        return Unmanaged<ReadAuthorizer>.fromOpaque(this)._withUnsafeGuaranteedRef { authorizer in
          if authorizer.noted != nil, action == SQLITE_READ { authorizer.note(first, second) }
          return !authorizer.isPreparing || authorizer.allows(action, first, second) ? SQLITE_OK : SQLITE_DENY
        }
      }, this)
    sqlite3_progress_handler(
      database, Self.instructions,
      { this in
        guard let this else { return 0 }
        let isStepping = Unmanaged<ReadAuthorizer>.fromOpaque(this)._withUnsafeGuaranteedRef { $0.isStepping }
        return isStepping && Task.isCancelled ? 1 : 0
      }, this)
  }

  func remove(from database: OpaquePointer) {
    sqlite3_set_authorizer(database, nil, nil)
    sqlite3_progress_handler(database, 0, nil, nil)
  }

  /// Runs the closure while only statements that read can be prepared. Returns the tables that they read, or nil if
  /// nothing was selected.
  func whilePreparing(_ body: () throws(PersistenceError) -> Void) throws(PersistenceError) -> Set<String>? {
    (isPreparing, hasSelected, tables) = (true, false, [])
    defer { isPreparing = false }
    try body()
    return hasSelected ? tables : nil
  }

  private func note(_ table: UnsafePointer<CChar>?, _ column: UnsafePointer<CChar>?) {
    guard let table, let column else { return }
    noted?.insert(ReadColumn(table: String(cString: table), column: String(cString: column)))
  }

  private func allows(_ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?) -> Bool {
    switch action {
    case SQLITE_SELECT:
      hasSelected = true
      return true
    case SQLITE_RECURSIVE: return true
    case SQLITE_READ:
      guard let first else { return false }
      let table = String(cString: first)
      // These tables run a pragma.
      if table.lowercased().hasPrefix("pragma_") { return false }
      tables.insert(table)
      return true
    case SQLITE_FUNCTION:
      guard let second else { return false }
      return !Self.refused.contains(String(cString: second).lowercased())
    default: return false
    }
  }

  /// Functions with effects, or that access files or memory. Most exist only in some builds of SQLite.
  private static let refused: Set<String> = [
    "load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "sqlite_log",
  ]
}

/// A column that a statement reads. Its name is empty if only the number of the table's rows matters.
struct ReadColumn: Hashable {
  let table: String
  let column: String
}
