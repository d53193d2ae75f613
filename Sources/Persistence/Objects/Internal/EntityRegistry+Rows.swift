extension EntityRegistry {
  /// The number of rows in a statement's result, and how many of them were already in memory.
  struct RowCount {
    var rows = 0
    var known = 0
  }

  /// Creates objects from a statement's rows, whose columns are those of `Entity.selection`. Rows in memory are not
  /// decoded again, unless they have changed in the store but not here. After `limit` rows, the statement stays at its
  /// current row.
  @inline(__always) func rows(
    of statement: Statement, limit: Int = .max, _ body: (consuming ManagedObject) -> Void
  ) throws(PersistenceError) -> RowCount {
    let type = entity.type
    let versionColumn = Int32(truncatingIfNeeded: entity.columns.count) &+ 1
    var count = RowCount()
    var cursor = RowCursor(.row, statement: statement.handle, table: self)
    statement.isBusy = true
    defer { statement.isBusy = false }
    try cursor.whileCurrent { (cursor) throws(PersistenceError) in
      while try count.rows < limit ? statement.step() : false {
        count.rows &+= 1
        let id = statement.int64(0)
        let version = UInt32(truncatingIfNeeded: statement.int64(versionColumn))
        if let known = map.object(id) {
          count.known &+= 1
          if known._version != version { try refresh(known, from: statement, version) }
          body(consume known)
          continue
        }
        cursor.pointee.id = id
        cursor.pointee.column = 1
        cursor.pointee.relation = 0
        let object = type.init()
        if cursor.pointee.mismatchedColumn != 0 || cursor.pointee.column != versionColumn || object._id != id {
          throw misread(object, id, cursor.pointee, statement)
        }
        object._version = version
        object._state = 0
        map.insert(object)
        body(consume object)
      }
    }
    return count
  }

  /// The error for a row with values of other types, or for an `init` that creates other managed objects.
  @inline(never) private func misread(
    _ object: ManagedObject, _ id: Int64, _ cursor: RowCursor, _ statement: Statement
  ) -> PersistenceError {
    statement.reset()
    object._tableReference = nil
    let slot = Int(cursor.mismatchedColumn) - 1
    guard entity.columns.indices.contains(slot) else {
      let text = "its init creates other managed objects"
      return .invalidSchema([SchemaViolation(type: entity.name, property: nil, text: text)])
    }
    return mismatchedColumn(slot, id)
  }

  private func mismatchedColumn(_ slot: Int, _ id: Int64) -> PersistenceError {
    let reason = "the stored value does not have the attribute's type"
    return .invalidValue(
      InvalidValue(type: entity.name, attribute: entity.columns[slot].property, id: id, reason: reason))
  }

  /// Called if the row has changed in the store since the object was read. The object takes on the new values, unless
  /// it has unsaved changes, which are merged when they are saved.
  @inline(never) private func refresh(
    _ object: ManagedObject, from statement: Statement, _ version: UInt32
  ) throws(PersistenceError) {
    guard object._changed.isEmpty, object._state == 0, !changes.hasUpdates(of: object) else { return }
    for slot in entity.columns.indices {
      if !assign(statement.value(Int32(slot) + 1), to: slot, of: object) {
        statement.reset()
        throw mismatchedColumn(slot, object._id)
      }
    }
    object._version = version
    unloadRelationships(of: object)
  }
}
