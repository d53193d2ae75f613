/// Keeps full-text indexes up to date, see ``SearchTable``.
extension Connection {
  /// Whether rows have changed since their texts were indexed.
  func hasUnindexedTexts(of tables: [SearchTable]) throws(PersistenceError) -> Bool {
    for table in tables {
      if try statement(table.firstNote).integer() != nil { return true }
    }
    return false
  }

  /// Gives the changed rows their new texts. Called in a write transaction.
  func indexTexts(of tables: [SearchTable]) throws(PersistenceError) {
    for table in tables {
      if try statement(table.firstNote).integer() == nil { continue }
      for sql in table.update { try statement(sql).run() }
    }
  }

  /// Gives the rows that other programs have changed their new texts, unless another connection is writing or the disk
  /// is full.
  func indexTextsIfFree(of tables: [SearchTable]) throws(PersistenceError) {
    guard try hasUnindexedTexts(of: tables) else { return }
    do throws(PersistenceError) {
      try withoutWaiting { () throws(PersistenceError) in try beginWriting() }
      try committing { () throws(PersistenceError) in
        try indexTexts(of: tables)
        try execute(StoreFormat.countCommit)
      }
    } catch {
      switch error {
      case .busy, .full: return
      default: throw error
      }
    }
  }

  /// Removes an index, also one that is corrupt. Called in a write transaction.
  func remove(_ table: SearchTable) throws(PersistenceError) {
    for statement in table.removalOfNotes { try execute(statement) }
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
    for statement in table.creationOfNotes { try execute(statement) }
  }

  /// Whether the SQLite library has full-text search.
  func hasFullTextSearch() throws(PersistenceError) -> Bool {
    try statement("SELECT 1 FROM pragma_module_list WHERE name='fts5'").integer() != nil
  }
}
