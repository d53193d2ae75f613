/// Handles rows whose ids were not allocated by this store: deleted rows that are restored, and rows from the change
/// set of another store.
extension EntityRegistry {
  /// Excludes the ids of objects that are about to be restored from allocation in this space. The other contexts of the
  /// container exclude them once they are saved.
  func withhold(_ ids: some BidirectionalCollection<Int64>) throws(PersistenceError) {
    guard let first = ids.first, let last = ids.last else { return }
    guard first > 0 else { throw .conflict(MergeConflict(kind: .incompleteChangeSet, type: entity.name, id: first)) }
    // Leave space for more rows than a file can contain.
    guard last < .max >> 1 else { throw .noIDs(leftFor: entity.name) }
    for id in ids { self.ids.withhold(id) }
  }

  /// The highest id of the restored objects that are not committed yet, or 0 if there are none.
  var highestReturnedID: Int64 {
    guard changes.hasReturned else { return 0 }
    return changes.inserted.lazy.filter { $0._state & ObjectState.returned != 0 }.map(\._id).max() ?? 0
  }

  /// Discards the allocated ids. One of them already belongs to a row that another change set has inserted, so others
  /// may too.
  func releaseIDs() {
    _ = ids.drain()
    if ids.end > 0 { space.store.withholdIDs(of: entity.index, upTo: ids.end - 1) }
  }

  /// Gives restored rows a new version after they were inserted.
  ///
  /// A context may still hold an object in the state from before its row was deleted. If the row counted its changes
  /// from 1 again, it would eventually reach the version held there and be overwritten. Therefore the count starts at a
  /// different number each time rows are restored.
  func writeReturned(_ objects: some Collection<ManagedObject>) throws(PersistenceError) {
    // Rows written earlier are not written again.
    if objects.isEmpty { return }
    let connection = space.connection
    let start = try StoreFormat.versions(ofLife: connection.statement(StoreFormat.nextLife).integer() ?? 1)
    let statement = try connection.statement(statements.setVersion)
    var highest: Int64 = 0
    for object in objects {
      _ = statement.bind(object._id, at: 1)
      _ = statement.bind(Int64(start), at: 2)
      try statement.run()
      object._version = start
      highest = max(highest, object._id)
    }
    // This belongs to the transaction that stores them, so that the store never has the rows without the reservation.
    try space.raise(self, atLeast: highest + 1, by: 0)
  }
}
