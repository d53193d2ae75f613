/// Changes of many-to-many relationships that are not committed, in the order in which they were made.
struct PendingLinks {
  enum Change {
    case add(JoinTable, first: Int64, second: Int64)
    case remove(JoinTable, first: Int64, second: Int64)
    /// All pairs of an object that is deleted; `column` is its side's.
    case clear(JoinTable, column: String, id: Int64)
  }

  private(set) var changes: ContiguousArray<Change> = []
  private(set) var written = 0

  var isEmpty: Bool { changes.isEmpty }
  var count: Int { changes.count }
  var hasUnwritten: Bool { written < changes.count }
  var unwritten: ArraySlice<Change> { ArraySlice(changes[written...]) }

  mutating func append(_ change: Change) { changes.append(change) }

  mutating func markWritten() { written = changes.count }

  mutating func unwrite() { written = 0 }

  mutating func rollBack(to mark: Int) {
    changes.removeSubrange(mark...)
    written = 0
  }

  mutating func removeAll() {
    changes.removeAll(keepingCapacity: changes.count < 4096)
    written = 0
  }
}

extension ObjectSpace {
  func writeLinks() throws(PersistenceError) {
    let first = SQL.name(JoinTable.first)
    let second = SQL.name(JoinTable.second)
    for change in links.unwritten {
      switch change {
      case .add(let join, let a, let b):
        let statement = try connection.statement(
          "INSERT OR IGNORE INTO \(SQL.name(join.name))(\(first),\(second)) VALUES(?,?)")
        try statement.bind([.integer(a), .integer(b)])
        try statement.run()
      case .remove(let join, let a, let b):
        let statement = try connection.statement(
          "DELETE FROM \(SQL.name(join.name)) WHERE \(first)=? AND \(second)=?")
        try statement.bind([.integer(a), .integer(b)])
        try statement.run()
      case .clear(let join, let column, let id):
        let statement = try connection.statement("DELETE FROM \(SQL.name(join.name)) WHERE \(SQL.name(column))=?")
        try statement.bind([.integer(id)])
        try statement.run()
      }
    }
    links.markWritten()
  }
}
