extension ObjectSpace {
  /// Returns the changes of the open transaction, or nil if they are not observed. All changes must be written already.
  func changeSet() throws(PersistenceError) -> ChangeSet? {
    guard let watched = unit.watched else { return nil }
    var set = ChangeSet(schema)
    for (index, registry) in registries.enumerated() {
      var changes = registry.rowChanges(watching: watched[index])
      if let bulk = registry.bulk { changes = (changes ?? EntityChanges(registry.entity)).joined(with: bulk) }
      if let changes { set.entities.append(changes) }
    }
    set.links = links.netEffects
    set.links += try changedOrders()
    return set
  }

  /// Whether the rows that the open transaction changes are recorded.
  var isRecording: Bool { unit.watched != nil }
}
