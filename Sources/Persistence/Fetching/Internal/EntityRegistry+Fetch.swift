extension EntityRegistry {
  /// Fetches the object with this id from the store.
  func fetch(_ id: Int64) throws(PersistenceError) -> ManagedObject? {
    try space.reading { () throws(PersistenceError) in
      try writeDeletionsFirst()
      try space.beginReading()
      let statement = try space.connection.statement(statements.byID)
      _ = statement.bind(id, at: 1)
      var result: ManagedObject?
      _ = try rows(of: statement) { result = $0 }
      return result
    }
  }

  /// Called before fetching rows by id. Inserted and changed objects are in memory and found there. Only deleted
  /// objects must be written, so that they are not found.
  @inline(__always) private func writeDeletionsFirst() throws(PersistenceError) {
    if changes.writtenDeletes < changes.deleted.count { try space.writePending() }
  }

  /// Fetches the objects with these ids from the store, in order of id.
  func fetch(_ ids: some Sequence<Int64>) throws(PersistenceError) -> ContiguousArray<ManagedObject> {
    try space.reading { () throws(PersistenceError) in
      try writeDeletionsFirst()
      try space.beginReading()
      let statement = try space.connection.statement(statements.byIDs)
      _ = statement.bind(.text(SQL.json(ids)), at: 1)
      var result: ContiguousArray<ManagedObject> = []
      _ = try rows(of: statement) { (object: consuming ManagedObject) in result.append(object) }
      space.together.add(result, of: entity)
      return result
    }
  }

  /// Reads the rows of all objects without unsaved changes again. Objects without a row are deleted.
  func reload() throws(PersistenceError) {
    let dirty = dirtyObjects() ?? []
    let objects = map.objects().filter {
      $0._state == 0 && $0._changed.isEmpty && !dirty.contains(ObjectIdentifier($0))
    }
    for object in objects { object._version = .max }
    let found = Set(try fetch(objects.map(\._id)).map { ObjectIdentifier($0) })
    for object in objects where !found.contains(ObjectIdentifier(object)) { forgetDeleted(object) }
  }
}
