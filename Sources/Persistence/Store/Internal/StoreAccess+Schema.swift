extension StoreAccess {
  /// Throws ``PersistenceError/cannotOpen(_:)`` if another container has migrated the store in such a way that what
  /// this one writes would be wrong. Must be called within a transaction. Reads one number unless the tables have
  /// changed.
  func checkSchema(on connection: Connection) throws(PersistenceError) {
    let cookie = try connection.statement("PRAGMA schema_version").integer() ?? 0
    if schemaCookie.withLock({ $0 }) == cookie { return }
    let text = try connection.meta("schema") ?? ""
    let wanted = schema.stored
    if text != wanted.text {
      guard let stored = StoredSchema(text: text), try canWrite(stored, with: wanted, on: connection) else {
        throw StoreFile.failure(.migratedElsewhere, place)
      }
    }
    schemaCookie.withLock { $0 = cookie }
  }

  private func canWrite(
    _ stored: StoredSchema, with wanted: StoredSchema, on connection: Connection
  ) throws(PersistenceError) -> Bool {
    guard stored.canBeWritten(by: wanted) else { return false }
    // A column that was added by rewriting its table has no default.
    let statement = try connection.statement(
      "SELECT name FROM pragma_table_info(?1) WHERE \"notnull\" AND dflt_value IS NULL")
    for table in stored.tables {
      guard let known = wanted.table(table.name) else { continue }
      try statement.bind([.text(table.name)])
      let written = Set(known.columns.map { $0.name.lowercased() })
      var isWritten = true
      while try statement.step() { isWritten = isWritten && written.contains(statement.text(0).lowercased()) }
      if !isWritten { return false }
    }
    return true
  }
}

extension StoredSchema {
  /// Whether a program with other classes writes rows correctly. It does not if values have had another meaning since a
  /// migration to a higher version, if the tables lack something that it writes, or if it does not write columns that
  /// are calculated from the others, such as folded texts.
  fileprivate func canBeWritten(by other: StoredSchema) -> Bool {
    version == other.version && other.tables.allSatisfy(contains)
      && tables.allSatisfy { table in
        guard let known = other.table(table.name) else { return true }
        return table.columns.allSatisfy { $0.source == nil || known.columns.contains($0) }
      }
  }

  /// Whether there is a table with these columns and this index. A table whose name now has other letter case is
  /// another one: its ids are assigned under the new name.
  private func contains(_ wanted: StoredTable) -> Bool {
    guard let table = table(wanted.name) else { return false }
    let names = Set(table.columns.map { $0.name.lowercased() })
    return wanted.columns.allSatisfy { names.contains($0.name.lowercased()) }
      && (wanted.search.isEmpty || wanted.search == table.search)
  }
}
