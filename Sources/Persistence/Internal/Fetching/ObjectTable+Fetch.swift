extension ObjectTable {
  /// The object with this id from the store.
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

  /// Before rows are asked for by their ids. What is inserted or changed is in memory, and found there: only what is
  /// deleted must not be found.
  @inline(__always) private func writeDeletionsFirst() throws(PersistenceError) {
    if changes.writtenDeletes < changes.deleted.count { try space.writePending() }
  }

  /// The objects with these ids from the store, in the order of the ids.
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

  /// Every object without changes of its own reads its row again; those without a row are deleted.
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
