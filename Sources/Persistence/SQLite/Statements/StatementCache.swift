/// Caches prepared statements by their text, at most `capacity` of them. Evicts the least recently used one first.
final class StatementCache {
  private let database: OpaquePointer
  private let capacity: Int
  private var statements: [String: Statement] = [:]
  private var takes: UInt64 = 0
  /// The last statement returned. Loops request the same text repeatedly, and comparing a text with itself is faster
  /// than hashing it.
  private var recent: (sql: String, statement: Statement)?

  init(on database: OpaquePointer, capacity: Int) {
    self.database = database
    self.capacity = max(1, capacity)
  }

  var count: Int { statements.count }

  /// Returns a statement that no caller is stepping. If the cached one is busy, a second one is prepared.
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

  /// Linear, but only after a miss, where preparing the statement has just cost ten times as much.
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
