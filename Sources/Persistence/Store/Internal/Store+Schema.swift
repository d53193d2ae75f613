extension Store {
  /// Throws ``PersistenceError/cannotOpen(_:)`` if another container has migrated the store in such a way that what
  /// this one writes would be wrong. Must be called within a transaction. Reads one number unless the tables have
  /// changed.
  func checkSchema(on connection: Connection) throws(PersistenceError) {
    let cookie = try connection.statement("PRAGMA schema_version").integer() ?? 0
    if schemaCookie.withLock({ $0 }) == cookie { return }
    let statement = try connection.statement("SELECT value FROM \(StoreFormat.meta) WHERE name='schema'")
    let text = try statement.step() ? statement.text(0) : ""
    statement.reset()
    let wanted = schema.stored
    guard text == wanted.text || StoredSchema(text: text)?.canBeWritten(by: wanted) == true else {
      throw StoreFile.failure(.wrongSchema("another container has migrated the store"), place)
    }
    schemaCookie.withLock { $0 = cookie }
  }
}

extension StoredSchema {
  /// Whether a program with other classes writes rows correctly. It does not if values have had another meaning since a
  /// migration to a higher version, or if it does not write columns that are calculated from the others, such as folded
  /// texts. Columns that are merely new have defaults.
  fileprivate func canBeWritten(by other: StoredSchema) -> Bool {
    version == other.version
      && tables.allSatisfy { table in
        guard let known = other.table(table.name) else { return true }
        return table.columns.allSatisfy { $0.source == nil || known.columns.contains($0) }
      }
  }
}
