/// Combines updates of consecutive ids with the same attributes and the same version into a single statement.
///
/// The statement calls back for each row's values, which shows which rows it has changed. If another connection has
/// changed or deleted some of them in the meantime, only those rows are left to be merged or rejected one by one.
extension EntityRegistry {
  func writeUpdates(isLast: Bool) throws(PersistenceError) {
    var hasFreed = false
    while changes.writtenUpdates < changes.updates.count {
      let first = changes.writtenUpdates
      let count = lengthOfRun(from: first)
      if TableStatements.run.contains(count) { try writeRun(first..<first + count) }
      for index in first..<first + max(1, count) {
        // Write individually what the run has left over. If a constraint has rejected the whole run, this also finds
        // the row at fault.
        if !changes.updates[index].isWritten { try writeUpdate(index, &hasFreed, isLast: isLast) }
        changes.writtenUpdates = index + 1
      }
    }
  }

  /// Whether the store has a row that the update can change.
  @inline(__always) func isWritable(_ object: ManagedObject) -> Bool {
    object._state & ObjectState.deleted == 0
      && object._state & (ObjectState.fresh | ObjectState.written) != ObjectState.fresh
  }

  /// Returns the number of updates, from `first` on, that fit in a single statement.
  private func lengthOfRun(from first: Int) -> Int {
    let (object, mask) = (changes.updates[first].object, changes.updates[first].mask)
    let (id, version) = (object._id, object._version)
    let limit = min(TableStatements.run.upperBound, changes.updates.count - first)
    var count = 0
    while count < limit {
      let update = changes.updates[first + count]
      guard update.mask == mask, update.restored.isEmpty, update.object._id == id &+ Int64(count),
        update.object._version == version,
        isWritable(update.object)
      else { break }
      count += 1
    }
    return count
  }

  private func writeRun(_ run: Range<Int>) throws(PersistenceError) {
    let (object, mask) = (changes.updates[run.lowerBound].object, changes.updates[run.lowerBound].mask)
    let function = space.connection.rowFunction
    let statement = try space.connection.statement(statements.updateRun(mask, entity))
    _ = statement.bind(object._id, at: 1)
    _ = statement.bind(object._id + Int64(run.count - 1), at: 2)
    _ = statement.bind(Int64(object._version), at: 3)
    _ = statement.bind(Int64(object._version &+ 1), at: 4)
    asked = UpdateRun(updates: run, firstID: object._id)
    function.table = self
    defer {
      function.table = nil
      asked = UpdateRun()
    }
    do {
      try statement.run()
    } catch {
      // A constraint has undone the whole statement. Its rows are then written one by one. Any other error ends the
      // unit.
      for index in run { changes.updates[index].isWritten = false }
      if let (slot, object) = asked.refused { throw unstorable(slot, of: object, error) }
      guard case .database(let cause) = error, cause.isConstraint else { throw error }
      return
    }
    for index in run where changes.updates[index].isWritten { changes.updates[index].object._version &+= 1 }
  }

  /// Returns to SQLite the value of a row that the statement is about to change.
  func answer(_ id: Int64, _ slot: Int, _ result: FunctionResult) {
    let index = asked.updates.lowerBound + Int(truncatingIfNeeded: id &- asked.firstID)
    guard asked.updates.contains(index) else { return result.refuse() }
    let object = changes.updates[index].object
    if put(slot, of: object, into: result) != Statement.bound {
      asked.refused = (slot, object)
      return result.refuse()
    }
    changes.updates[index].isWritten = true
  }
}

/// The updates of a single statement, whose ids are consecutive.
struct UpdateRun {
  var updates = 0..<0
  var firstID: Int64 = 0
  /// The attribute without a stored form that aborted the statement.
  var refused: (slot: Int, object: ManagedObject)?
}
