internal import Foundation

/// Maintenance of a whole store, on a separate connection.
struct StoreMaintenance {
  let connection: Connection
  private let checkpointer: Checkpointer?
  private let isReadOnly: Bool
  let schema: Schema

  init(_ store: StoreAccess) throws(PersistenceError) {
    connection = try store.connect(reportsCommits: false)
    checkpointer = store.checkpointer
    isReadOnly = store.configuration.isReadOnly
    schema = store.schema
  }

  func check() throws(PersistenceError) -> IntegrityReport {
    let report = try checkTables()
    let (problems, unchecked) = try checkSearch()
    let calculated = try checkCalculated()
    return IntegrityReport(
      problems: report.problems + problems + calculated, dangling: report.dangling, unreadable: report.unreadable,
      unchecked: unchecked)
  }

  /// Finds values that are not of their attribute's type.
  private func addUnreadable(to found: inout [InvalidValue]) throws(PersistenceError) {
    for entity in schema.entities {
      let statement = try connection.statement("SELECT \(entity.selection) FROM \(entity.table)")
      defer { statement.reset() }
      while try statement.step() {
        for (slot, column) in entity.columns.enumerated() where column.unreadable == nil {
          let stored = statement.value(Int32(slot) + 1)
          if column.isReadable(stored) { continue }
          found.append(column.unreadableValue(stored, of: entity, id: statement.int64(0)))
          if found.count == 1000 { return }
        }
      }
    }
  }

  /// Finds the full-text indexes that do not fit their classes, and those that cannot be checked.
  private func checkSearch() throws(PersistenceError) -> (problems: [String], unchecked: [String]) {
    var problems: [String] = []
    var unchecked: [String] = []
    for table in schema.searchTables {
      do throws(PersistenceError) {
        let count = try differences(of: table)
        if count > 0 {
          problems.append("the full-text index of \(table.owner) differs in \(count) objects: rebuild it")
        }
        // Waits once for another writer, and not for each index.
        if unchecked.isEmpty { try checkWords(of: table) } else { unchecked.append(table.owner) }
      } catch {
        switch error {
        case .corrupt, .database: problems.append("the full-text index of \(table.owner) is corrupt: rebuild it")
        case .suspended: throw error
        // The report must not lose what was found so far.
        default: unchecked.append(table.owner)
        }
      }
    }
    return (problems, unchecked)
  }

  private func differences(of table: SearchTable) throws(PersistenceError) -> Int64 {
    try connection.beginReading()
    defer { connection.rollback() }
    guard try connection.statement(table.missingTriggers).integer() == 0 else {
      throw .database(DatabaseError(code: 0, message: "a trigger is missing"))
    }
    return try connection.statement(table.differences).integer() ?? 0
  }

  private func checkWords(of table: SearchTable) throws(PersistenceError) {
    if isReadOnly { return }
    // FTS5 takes the lock for writing, although it writes nothing.
    try connection.beginWriting()
    defer { connection.rollback() }
    try connection.execute(table.selfCheck)
  }

  func rebuildSearchIndexes() throws(PersistenceError) {
    if isReadOnly { throw .readOnly }
    try connection.writing { () throws(PersistenceError) in
      try calculateAgain()
      for table in schema.searchTables { try connection.rebuild(table) }
    }
  }

  private func checkTables() throws(PersistenceError) -> IntegrityReport {
    try connection.beginReading()
    defer { connection.rollback() }
    var problems: [String] = []
    var dangling: [String: Int] = [:]
    var unreadable: [InvalidValue] = []
    do {
      let statement = try connection.statement("PRAGMA integrity_check(100)")
      while try statement.step() {
        let text = statement.text(0)
        if text != "ok" { problems.append(text) }
      }
      let references = try connection.statement("PRAGMA foreign_key_check")
      while try references.step() { dangling[references.text(0), default: 0] += 1 }
      try addUnreadable(to: &unreadable)
    } catch {
      // A file can be so corrupt that the check itself cannot read it.
      guard case .corrupt(let cause) = error else { throw error }
      problems.append(cause.message)
    }
    return IntegrityReport(problems: problems, dangling: dangling, unreadable: unreadable, unchecked: [])
  }

  func compact() throws(PersistenceError) -> (before: Int, after: Int) {
    // VACUUM would write in spite of the read-only setting.
    if isReadOnly { throw .readOnly }
    let before = try size()
    // VACUUM builds the new store in a temporary file, which must not be in memory.
    try connection.execute("PRAGMA temp_store=FILE")
    guard let checkpointer else {
      try optimizeSearch()
      try connection.execute("VACUUM")
      return (before, try size())
    }
    // Only one checkpoint can run at a time. A second one would be refused, and the log would keep its length.
    try checkpointer.exclusively { () throws(PersistenceError) in
      try optimizeSearch()
      try connection.execute("VACUUM")
      try checkpointer.emptyLog(by: connection)
    }
    return (before, try size())
  }

  /// Removes the words of deleted texts from the full-text indexes.
  private func optimizeSearch() throws(PersistenceError) {
    for table in schema.searchTables {
      do throws(PersistenceError) { try connection.execute(table.optimization) } catch {
        switch error {
        // The rest of the store can be compacted. A check reports the index.
        case .corrupt, .database: continue
        default: throw error
        }
      }
    }
  }

  private func size() throws(PersistenceError) -> Int {
    let pages = try connection.statement("PRAGMA page_count").integer() ?? 0
    return Int(pages * (try connection.statement("PRAGMA page_size").integer() ?? 0))
  }
}
