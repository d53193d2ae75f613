extension ObjectSpace {
  /// Whether there are changes that have not been saved.
  public var hasChanges: Bool {
    !links.isEmpty || !refusedEdits.isEmpty || registries.contains { !$0.changes.isEmpty || $0.bulk != nil }
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
    let hasObjects = hasUnwritten
    let isIndexed = (isLast || indexingTexts) && !store.searchTables.isEmpty
    guard hasObjects || isIndexed else { return }
    try beginWriting()
    do {
      if hasObjects { try writeObjects(isLast: isLast) }
      if isIndexed { try connection.indexTexts(of: store.searchTables) }
    } catch {
      // Others may have changed more than the object that is named.
      if case .conflict = error {
        for registry in registries { registry.changes.missed.formUnion(registry.changes.idsOfChanged) }
      }
      // Part of it is written: the unit cannot be saved, even if the caller of a fetch continues.
      fail(error)
      throw error
    }
  }

  /// Whether changes of objects have to be written to the open transaction.
  var hasUnwritten: Bool {
    links.hasUnwritten || registries.contains { !$0.changes.isWritten || !$0.changes.unsettled.isEmpty }
  }

  private func writeObjects(isLast: Bool) throws(PersistenceError) {
    for registry in registries { registry.freezeChanges() }
    try recordOrders()
    for registry in registries where !registry.changes.unsettled.isEmpty {
      registry.writeUnsettledAgain(isLast: isLast)
    }
    // Foreign keys are checked at the end, so the order in which objects refer to each other does not matter. A unique
    // value is released before another object takes it.
    for registry in registriesWithDeletions() { try registry.writeDeletes() }
    for registry in registries { try registry.writeUpdates(isLast: isLast) }
    for registry in registries { try registry.writeInserts(isLast: isLast) }
    try writeLinks()
  }
}
