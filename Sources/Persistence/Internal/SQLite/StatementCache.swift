/// Prepared statements by their text, at most `capacity` of them; the one that was not used for longest goes first.
final class StatementCache {
  private let database: OpaquePointer
  private let capacity: Int
  private var statements: [String: Statement] = [:]
  private var takes: UInt64 = 0
  /// Loops ask for the same one again and again, by the same text, which is quicker to compare with itself than to
  /// hash.
  private var recent: (sql: String, statement: Statement)?

  init(on database: OpaquePointer, capacity: Int) {
    self.database = database
    self.capacity = max(1, capacity)
  }

  var count: Int { statements.count }

  /// A statement that nobody is stepping: a second one is prepared when the cached one is busy.
  func statement(_ sql: String) throws(PersistenceError) -> Statement {
    takes &+= 1
    if let recent, recent.sql == sql, !recent.statement.isBusy {
      recent.statement.lastUse = takes
      return recent.statement
    }
    if let known = statements[sql] {
      if known.isBusy { return try Statement(sql, on: database) }
      known.lastUse = takes
      recent = (sql, known)
      return known
    }
    let statement = try Statement(sql, on: database)
    statement.lastUse = takes
    if statements.count >= capacity { evict() }
    statements[sql] = statement
    return statement
  }

  /// Linear, but only after a miss, which has just paid ten times as much for preparing.
  private func evict() {
    let oldest = statements.min { $0.value.lastUse < $1.value.lastUse }
    recent = nil
    if let oldest { statements[oldest.key] = nil }
  }

  func removeAll() {
    recent = nil
    statements = [:]
  }
}
