/// Keeps full-text indexes up to date, see ``SearchTable``.
extension Connection {
  private func notes(_ index: Int) -> String { "_larder_changed_\(index)" }

  /// Notes changed rows from now on. Called outside a transaction.
  func followSearchTables() throws(PersistenceError) {
    for (index, table) in searchTables.enumerated() {
      for statement in table.followStatements(notes(index)) { try execute(statement) }
    }
  }

  /// Gives the changed rows their new texts. Called in a write transaction.
  func updateSearchTables() throws(PersistenceError) {
    for (index, table) in searchTables.enumerated() {
      let changed = try statement("SELECT 1 FROM temp.\(notes(index)) LIMIT 1").integer()
      if changed == nil { continue }
      for sql in table.updateStatements(notes(index)) { try statement(sql).run() }
    }
  }

  /// Removes an index, also one that is corrupt. Called in a write transaction.
  func remove(_ table: SearchTable) throws(PersistenceError) {
    do throws(PersistenceError) {
      try execute(table.removal)
    } catch {
      // FTS5 opens an index in order to remove it.
      switch error {
      case .corrupt, .database:
        for statement in table.repair { try execute(statement) }
        try execute(table.removal)
      default: throw error
      }
    }
  }

  /// Makes the index of a class again. Called in a write transaction.
  func rebuild(_ table: SearchTable) throws(PersistenceError) {
    try remove(table)
    try execute(table.creation)
    try execute(table.filling)
  }

  /// Whether the SQLite library has full-text search.
  func hasFullTextSearch() throws(PersistenceError) -> Bool {
    try statement("SELECT 1 FROM pragma_module_list WHERE name='fts5'").integer() != nil
  }
}
