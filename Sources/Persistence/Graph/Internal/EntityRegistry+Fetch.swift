extension EntityRegistry {
  /// Fetches the object with this id from the store.
  func fetch(_ id: Int64) throws(PersistenceError) -> ManagedObject? {
    try space.reading { () throws(PersistenceError) in
      let statement = try space.connection.statement(beginFetching(SQL.name(SQL.id) + "=?1") ?? statements.byID)
      _ = statement.bind(id, at: 1)
      var result: ManagedObject?
      _ = try rows(of: statement) { result = $0 }
      return result
    }
  }

  /// Begins to read rows by id. Returns the SQL that also considers pending changes, or nil if they make no difference:
  /// inserted and changed objects are in memory and found there, so only deletions matter.
  private func beginFetching(_ condition: String) throws(PersistenceError) -> String? {
    if changes.deleted.isEmpty || space.unit.phase == .persisting {
      if changes.writtenDeletes < changes.deleted.count { _ = try space.beginQuery() }
      try space.beginReading()
      return nil
    }
    guard let pending = try space.beginQuery()[entity] else { return nil }
    return "SELECT \(entity.selection) FROM \(pending.source(as: "t0", where: condition)) ORDER BY 1"
  }

  /// Fetches the objects with these ids from the store, in order of id.
  func fetch(_ ids: some Sequence<Int64>) throws(PersistenceError) -> ContiguousArray<ManagedObject> {
    try space.reading { () throws(PersistenceError) in
      let sql = try beginFetching("\(SQL.name(SQL.id)) IN (SELECT value FROM json_each(?1))") ?? statements.byIDs
      let statement = try space.connection.statement(sql)
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
      $0._isStored && $0._changed.isEmpty && !dirty.contains(ObjectIdentifier($0))
    }
    for object in objects { object._version = .max }
    let found = Set(try fetch(objects.map(\._id)).map { ObjectIdentifier($0) })
    for object in objects where !found.contains(ObjectIdentifier(object)) { forgetDeleted(object) }
  }
}
