extension ObjectSpace {
  /// Whether there are changes that have not been saved.
  public var hasChanges: Bool {
    !links.isEmpty || !unit.bulk.isEmpty || !refusedEdits.isEmpty || tables.contains { !$0.changes.isEmpty }
  }

  /// Writes pending changes to the open transaction of a `persist` closure, which has the write lock, so that queries
  /// see them.
  ///
  /// - Parameters:
  ///   - isLast: Whether unique values must be unique now. Before the commit, two objects may temporarily have the same
  ///     value. The second one is then written with a placeholder, and queries do not find it by that value until the
  ///     next call.
  ///   - indexingTexts: Whether full-text indexes must have the changes too. They always have them before the commit.
  func writePending(isLast: Bool = false, indexingTexts: Bool = false) throws(PersistenceError) {
    let hasObjects =
      links.hasUnwritten || tables.contains(where: { !$0.changes.isWritten || !$0.changes.unsettled.isEmpty })
    let isIndexed = (isLast || indexingTexts) && !store.searchTables.isEmpty
    guard hasObjects || isIndexed else { return }
    try beginWriting()
    do {
      if hasObjects { try writeObjects(isLast: isLast) }
      if isIndexed { try connection.indexTexts(of: store.searchTables) }
    } catch {
      // Part of it is written: the unit cannot be saved, even if the caller of a fetch continues.
      fail(error)
      throw error
    }
  }

  private func writeObjects(isLast: Bool) throws(PersistenceError) {
    for table in tables { table.freezeChanges() }
    try recordOrders()
    for table in tables where !table.changes.unsettled.isEmpty { table.writeUnsettledAgain(isLast: isLast) }
    // Foreign keys are checked at the end, so the order in which objects refer to each other does not matter. A unique
    // value is released before another object takes it.
    for table in tablesWithDeletions() { try table.writeDeletes() }
    for table in tables { try table.writeUpdates(isLast: isLast) }
    for table in tables { try table.writeInserts(isLast: isLast) }
    try writeLinks()
  }
}
