extension ObjectSpace {
  /// Prepares for writing rows without objects: writes all pending changes of objects to the transaction.
  func beginBulk(_ type: ManagedObject.Type) throws(PersistenceError) -> EntityRegistry {
    try beginBulk()
    return try registry(of: type)
  }

  func beginBulk() throws(PersistenceError) {
    guard isIsolated else { throw .wrongContext }
    guard unit.phase == .persisting else { throw .notPersisting }
    try throwFailure()
    try beginWriting()
    // Subsequent statements would otherwise read rows that contain placeholders.
    try writePending(isLast: true)
    // Once, because no one else commits during the transaction.
    if !unit.isCurrent { for registry in registries { try registry.refreshStale() } }
    unit.isCurrent = true
    noteAllMembers()
    unloadAllRelationships()
  }

  /// Changes pairs by a statement, and notes each of them unless they are too many. Their positions are not known.
  func changePairs(of join: JoinTable, by sql: String, _ change: (Int64, Int64) -> LinkChange) throws(PersistenceError)
  {
    let isNoted = isRecording && !schema.sides(of: join).contains(where: \.isOrdered)
    let statement = try connection.statement(sql + (isNoted ? " RETURNING \(join.columns)" : ""))
    var count = 0
    while try statement.step() {
      count += 1
      if count <= BulkChanges.limit { links.note(change(statement.int64(0), statement.int64(1))) }
    }
    if isRecording, isNoted ? count > BulkChanges.limit : statement.changes > 0 { links.note(.all(join: join.index)) }
  }
}

extension EntityRegistry {
  /// Notes that rows are written without objects. This makes the unit have something to commit, even if no one observes
  /// the changes.
  func noteBulk() { if bulk == nil { bulk = BulkChanges() } }

  /// Notes the change of a row that is written without an object. Returns its object if it is in memory: then the
  /// object must take on the change, and reports it.
  @discardableResult
  func noteBulk(_ id: Int64, _ kind: ObjectChangeKind, _ mask: SlotSet = .everything) -> ManagedObject? {
    if let object = map.object(id) { return object }
    noteBulk()
    if space.isRecording { bulk?.add(id, kind, mask) }
    return nil
  }

  /// Gives the objects in memory the values that were written without them, as if the objects had written them. A
  /// rollback reverts these changes.
  func takeOver(reading slots: [Int]) throws(PersistenceError) {
    try forEachBatch { (objects) throws(PersistenceError) in try takeOver(objects, reading: slots) }
  }

  /// Reads objects again that another context has changed. Then a version differs only if this context wrote the row.
  fileprivate func refreshStale() throws(PersistenceError) {
    let id = SQL.name(SQL.id)
    try forEachBatch { (objects) throws(PersistenceError) in
      let statement = try space.connection.statement(
        "SELECT \(id),\(SQL.name(SQL.version)) FROM \(entity.table) WHERE \(id) IN (SELECT value FROM json_each(?1))")
      try statement.bind([.text(SQL.json(objects.map(\._id)))])
      var versions: [Int64: UInt32] = [:]
      while try statement.step() { versions[statement.int64(0)] = UInt32(truncatingIfNeeded: statement.int64(1)) }
      for object in objects where object._isStored && versions[object._id] != object._version {
        try refreshIfReadable(object._id)
      }
    }
  }

  private func forEachBatch(
    _ body: (ContiguousArray<ManagedObject>) throws(PersistenceError) -> Void
  ) throws(PersistenceError) {
    var first: Int64 = 0
    while case let objects = map.objects(in: first...(.max), limit: 512), let last = objects.last {
      try body(objects)
      first = last._id + 1
    }
    let distant = map.distantObjects
    if !distant.isEmpty { try body(distant) }
  }

  func takeOver(
    _ objects: some Collection<ManagedObject>, reading slots: [Int]
  ) throws(PersistenceError) {
    let names = slots.map { entity.columns[$0].quoted } + [SQL.name(SQL.version)]
    let statement = try space.connection.statement(
      "SELECT \(SQL.name(SQL.id)),\(names.joined(separator: ",")) FROM \(entity.table) "
        + "WHERE \(SQL.name(SQL.id)) IN (SELECT value FROM json_each(?1))")
    try statement.bind([.text(SQL.json(objects.map(\._id)))])
    while try statement.step() {
      guard let object = map.object(statement.int64(0)) else { continue }
      let version = UInt32(truncatingIfNeeded: statement.int64(Int32(slots.count + 1)))
      if object._version == version { continue }
      for (index, slot) in slots.enumerated() {
        // The first slot is noted in any case, so that the change set has the new version.
        guard take(statement.value(Int32(index + 1)), slot, object, isNoted: index == 0) else {
          let stored = statement.value(Int32(index + 1))
          statement.reset()
          throw .invalidValue(entity.columns[slot].unreadableValue(stored, of: entity, id: object._id))
        }
      }
      written(object, version)
    }
    // Otherwise they would seem to be unwritten.
    if changes.changed.allSatisfy({ $0._changed.isEmpty }) { changes.changed.removeAll(keepingCapacity: true) }
  }

  private func take(_ value: StoredValue, _ slot: Int, _ object: ManagedObject, isNoted: Bool) -> Bool {
    if !isNoted, self.value(slot, of: object).isSame(as: value) { return true }
    if object._state & ObjectState.fresh == 0 { _ = willChange(object, slot) }
    return assign(value, to: slot, of: object)
  }

  /// Sets a to-one relationship of rows without objects, and the position among the members of its inverse.
  func setReferences(_ slot: Int, to value: String, order: String, where condition: String) throws(PersistenceError) {
    let (id, version) = (SQL.name(SQL.id), SQL.name(SQL.version))
    try space.recordOrders(
      changing: SlotSet(slot), of: entity, rows: "(SELECT \(id) FROM \(entity.table) WHERE \(condition))")
    if space.isRecording {
      // The owners that keep a member, but at a new position.
      let ordered = entity.references[slot].map(\.inverse).flatMap { $0.isOrdered && order != "NULL" ? $0 : nil }
      let column = entity.columns[slot].quoted
      let owner = ordered == nil ? "NULL" : "CASE WHEN \(column) IS \(value) THEN \(column) END"
      let statement = try space.connection.statement("SELECT \(id),\(owner) FROM \(entity.table) WHERE \(condition)")
      var owners: Set<Int64> = []
      while try statement.step() {
        noteBulk(statement.int64(0), .updated, SlotSet(slot))
        if !statement.isNull(1) { owners.insert(statement.int64(1)) }
      }
      if let ordered, let relation = ordered.declaration.relation {
        for owner in owners {
          space.links.note(.reordered(entity: ordered.entity.index, relation: relation, owner: owner))
        }
      }
    }
    let position = entity.references[slot]?.inverse.orderColumn.map { ",\($0)=\(order)" } ?? ""
    let statement = try space.connection.statement(
      "UPDATE \(entity.table) SET \(entity.columns[slot].quoted)=\(value)\(position),\(version)=\(version)+1 "
        + "WHERE \(condition)")
    do { try statement.run() } catch { throw named(error, id: 0) }
    guard statement.changes > 0 else { return }
    noteBulk()
    try takeOver(reading: [slot])
  }

  /// Marks the object's pending changes as written. All earlier changes are already written, so this one can follow
  /// them.
  private func written(_ object: ManagedObject, _ version: UInt32) {
    if object._state & ObjectState.fresh == 0 {
      changes.updates.append(.init(object: object, mask: object._changed, writes: version &- object._version))
      changes.writtenUpdates = changes.updates.count
    }
    object._changed = SlotSet()
    object._version = version
  }
}
