/// Rows under ids that did not come out of the store's stock: those of deleted rows that come back, and those that a
/// change set of another store brings along.
extension ObjectTable {
  /// Before objects come back: nobody here is to be given their ids. Others of the container are told when they are
  /// saved.
  func withhold(_ ids: some BidirectionalCollection<Int64>) throws(PersistenceError) {
    guard let first = ids.first, let last = ids.last else { return }
    guard first > 0 else { throw .conflict(Conflict(kind: .untold, type: entity.name, id: first)) }
    // Room for more rows than a file can have.
    guard last < .max >> 1 else { throw .noIDs(left: entity) }
    for id in ids { self.ids.withhold(id) }
  }

  /// The highest id of the objects that have come back and are not committed; 0 if there are none.
  var highestReturnedID: Int64 {
    guard changes.hasReturned else { return 0 }
    return changes.inserted.lazy.filter { $0._state & ObjectState.returned != 0 }.map(\._id).max() ?? 0
  }

  /// An id out of the stock belongs to a row already, that came along with somebody's change set: others of the stock
  /// may too.
  func giveUpIDs() {
    _ = ids.drain()
    if ids.end > 0 { space.store.withholdIDs(of: entity.index, upTo: ids.end - 1) }
  }

  /// After they were inserted.
  ///
  /// Somebody may still hold an object as it was before its row was deleted. If the row counted its changes from 1
  /// again, it would come by the version that is held there, and be overwritten. So each time rows come back, they
  /// count from a number of their own.
  func writeReturned(_ objects: some Collection<ManagedObject>) throws(PersistenceError) {
    // What was written before is not written again.
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
    // In the transaction that stores them, so that the store is never without.
    try space.raise(self, atLeast: highest + 1, by: 0)
  }
}
