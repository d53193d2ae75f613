extension EntityRegistry {
  /// Creates a new object with this id.
  @inline(__always) func insert(
    _ id: Int64, as type: ManagedObject.Type
  ) throws(PersistenceError) -> ManagedObject {
    var cursor = RowCursor(.fresh, owner: self)
    cursor.id = id
    let object = cursor.whileCurrent { _ in type.init() }
    guard object._id == id, Int(cursor.column) == layouts.count + 1 else {
      object._objectOwner = nil
      throw .invalidSchema([.nested(in: entity.name)])
    }
    object._state |= watched
    map.insert(object)
    changes.inserted.append(object)
    return object
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
    var cursor = RowCursor(.row, statement: statement.handle, owner: self)
    statement.isBusy = true
    defer { statement.isBusy = false }
    try cursor.whileCurrent { (cursor) throws(PersistenceError) in
      while try count.rows < limit ? statement.step() : false {
        count.rows &+= 1
        let id = statement.int64(0)
        let version = UInt32(truncatingIfNeeded: statement.int64(versionColumn))
        if let known = map.object(id) {
          count.known &+= 1
          if known._version != version, try !refresh(known, from: statement, version) { continue }
          body(consume known)
          continue
        }
        cursor.pointee.id = id
        cursor.pointee.column = 1
        cursor.pointee.relation = 0
        let object = type.init()
        if cursor.pointee.mismatchedColumn != 0 || cursor.pointee.column != versionColumn || object._id != id {
          guard try readAgain(object, id, &cursor.pointee, statement) else { continue }
        }
        object._version = version
        object._state = watched
        map.insert(object)
        body(consume object)
      }
    }
    return count
  }

  /// Called for a row with values of other types, or if an `init` creates other managed objects. Returns false if the
  /// object is to be left out.
  @inline(never) private func readAgain(
    _ object: ManagedObject, _ id: Int64, _ cursor: inout RowCursor, _ statement: Statement
  ) throws(PersistenceError) -> Bool {
    do throws(PersistenceError) {
      guard cursor.mismatchedColumn != 0, object._id == id else { throw .invalidSchema([.nested(in: entity.name)]) }
      cursor.mismatchedColumn = 0
      if try read(object, from: statement) { return true }
      object._objectOwner = nil
      return false
    } catch {
      statement.reset()
      object._objectOwner = nil
      throw error
    }
  }

  /// Called if the row has changed in the store since the object was read. The object takes on the new values, unless
  /// it has unsaved changes, which are merged when they are saved. Returns false if the object is to be left out.
  @inline(never) private func refresh(
    _ object: ManagedObject, from statement: Statement, _ version: UInt32
  ) throws(PersistenceError) -> Bool {
    guard object._changed.isEmpty, object._isStored, !changes.hasUpdates(of: object) else { return true }
    do throws(PersistenceError) {
      guard try read(object, from: statement) else { return false }
    } catch {
      statement.reset()
      throw error
    }
    object._version = version
    unloadRelationships(of: object)
    return true
  }

  /// Reads all attributes from a row. Returns false if the object is to be left out.
  @inline(never) func read(_ object: ManagedObject, from statement: Statement) throws(PersistenceError) -> Bool {
    for slot in entity.columns.indices {
      let stored = statement.value(Int32(slot) + 1)
      if assign(stored, to: slot, of: object) { continue }
      guard let value = try replacement(for: stored, slot, id: object._id) else { return false }
      assign(value, to: slot, of: object)
    }
    return true
  }
}
