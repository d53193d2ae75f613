extension ObjectSpace {
  /// Sets attributes of all objects that match a condition, without fetching them. Matching objects in memory change as
  /// if their properties had been set directly.
  ///
  /// For objects that are not in memory, ``ManagedObject/validate()`` is not called, and conflicts with changes made
  /// outside this context are not detected.
  ///
  /// - Returns: The number of matching objects.
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if the condition is not supported, if an assignment does not
  ///   refer to an attribute, or if two assignments refer to the same attribute; ``PersistenceError/notUnique(_:)`` if
  ///   two objects would have the same value, or the same combination of values, that must be unique;
  ///   ``PersistenceError/invalidValue(_:)`` if a value cannot be stored or the result of an increment would be outside
  ///   the attribute's range; ``PersistenceError/notPersisting`` if the method is called outside `persist`. In an error
  ///   that does not concern an object in memory, the id is 0.
  @discardableResult
  public func update<Object: ManagedObject>(
    _ type: Object.Type, where condition: (Row<Object>) -> Query<Object>, set assignments: [AttributeAssignment<Object>]
  ) throws(PersistenceError) -> Int {
    try update(type, matching: Query(condition), set: assignments)
  }

  /// Sets attributes of the objects that match a query, or of all objects of a class if no query is given. In all other
  /// respects, this method behaves like the variant that takes a condition.
  @discardableResult
  public func update<Object: ManagedObject>(
    _ type: Object.Type, matching query: Query<Object> = .all, set assignments: [AttributeAssignment<Object>]
  ) throws(PersistenceError) -> Int {
    let registry = try beginBulk(Object.self)
    var changes: [(slot: Int, operation: AttributeAssignment<Object>.Operation)] = []
    for assignment in assignments {
      guard case .attribute(let slot) = registry.entity.property(at: assignment.keyPath) else {
        throw .unsupportedQuery(.unknown(assignment.keyPath, in: registry.entity, "an attribute"))
      }
      if changes.contains(where: { $0.slot == slot }) {
        throw .unsupportedQuery(
          UnsupportedQueryError("\(registry.entity.name).\(registry.entity.columns[slot].property)", "is set twice"))
      }
      if case .unstorable(let reason) = assignment.operation.operand {
        throw registry.invalidValue(slot, reason)
      }
      changes.append((slot, assignment.operation))
    }
    if changes.isEmpty { return 0 }
    // Selected before objects change, which may change what fulfills the condition.
    let rows = try BulkRows(registry, matching: query)
    let known = try rows.known()
    do throws(PersistenceError) {
      try rows.remove(known)
      for object in known {
        for (slot, operation) in changes {
          switch operation {
          case .set(let value): registry.set(value, slot, of: object)
          case .increment(let amount, _): try registry.add(amount, to: slot, of: object)
          }
        }
      }
      try writePending()
      return try known.count + registry.update(rows, changes)
    } catch {
      fail(error)
      throw error
    }
  }

  /// Deletes all objects that match a condition, without fetching them, and applies the delete rules of their
  /// relationships. Matching objects in memory are deleted as if they had been passed to ``delete(_:)``.
  ///
  /// For objects that are not in memory, conflicts with changes made outside this context are not detected.
  ///
  /// - Returns: The number of matching objects. Objects deleted because of delete rules are not counted.
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if the condition is not supported;
  ///   ``PersistenceError/deleteRule(_:)`` if a delete rule forbids the deletion; ``PersistenceError/notUnique(_:)`` if
  ///   objects that lose their related object then violate a uniqueness constraint; ``PersistenceError/notPersisting``
  ///   if the method is called outside `persist`.
  @discardableResult
  public func delete<Object: ManagedObject>(
    _ type: Object.Type, where condition: (Row<Object>) -> Query<Object>
  ) throws(PersistenceError) -> Int {
    try delete(type, matching: Query(condition))
  }

  /// Deletes all objects that match a query. In all other respects, this method behaves like the variant that takes a
  /// condition.
  @discardableResult
  public func delete<Object: ManagedObject>(
    _ type: Object.Type, matching query: Query<Object>
  ) throws(PersistenceError) -> Int {
    let registry = try beginBulk(Object.self)
    let deletion = try BulkDeletion(self, registry.entity, query)
    let known = try deletion.known()
    do throws(PersistenceError) {
      for object in known { delete(object) }
      try throwFailure()
      try writePending()
      let count = try deletion.run()
      unloadAllRelationships()
      return known.count + count
    } catch {
      fail(error)
      throw error
    }
  }
}

extension EntityRegistry {
  /// Sets a value as the property's setter does.
  func set(_ value: StoredValue, _ slot: Int, of object: ManagedObject) {
    guard object._changed.contains(slot) || willChange(object, slot) else { return }
    assign(value, to: slot, of: object)
  }

  /// Updates rows that have no objects in memory.
  fileprivate func update<Object: ManagedObject>(
    _ rows: BulkRows, _ changes: [(slot: Int, operation: AttributeAssignment<Object>.Operation)]
  ) throws(PersistenceError) -> Int {
    let mask = changes.reduce(into: SlotSet()) { $0.insert($1.slot) }
    if space.isRecording { try rows.forEach { noteBulk($0, .updated, mask) } }
    for case (let slot, .increment(.integer(let amount), .integer(let limits))) in changes {
      try checkSums(slot, amount, limits, of: rows)
    }
    let version = SQL.name(SQL.version)
    let sets =
      changes.enumerated().flatMap { number, change in
        let column = entity.columns[change.slot]
        let value =
          switch change.operation {
          case .set: "?\(number + 1)"
          case .increment(.integer, _): "\(column.quoted)+?\(number + 1)"
          case .increment(_, .float): "\(SumFunction.name)(\(column.quoted),?\(number + 1),1)"
          case .increment: "\(SumFunction.name)(\(column.quoted),?\(number + 1),0)"
          }
        return TableStatements.sets(column, to: value)
      } + ["\(version)=\(version)+1"]
    let statement = try space.connection.statement(
      "UPDATE \(entity.table) SET \(sets.joined(separator: ",")) WHERE \(SQL.name(SQL.id)) IN \(rows.selection)")
    try statement.bind(changes.map(\.operation.operand))
    do {
      try statement.run()
    } catch {
      if case .database(let cause) = error, cause.message == InvalidValue.overflow {
        let slots = changes.compactMap { if case .increment = $0.operation { $0.slot } else { nil } }
        throw invalidValue(slots[0], InvalidValue.overflow)
      }
      throw named(error, id: 0)
    }
    let count = statement.changes
    if count > 0 { noteBulk() }
    try rows.clear()
    return count
  }

  /// Throws if adding the amount to one of these rows would exceed the limits.
  private func checkSums(
    _ slot: Int, _ amount: Int64, _ limits: ClosedRange<Int64>, of rows: BulkRows
  ) throws(PersistenceError) {
    let (comparison, limit) =
      amount > 0
      ? (">", limits.upperBound.subtractingReportingOverflow(amount))
      : ("<", limits.lowerBound.subtractingReportingOverflow(amount))
    if limit.overflow { throw invalidValue(slot, InvalidValue.overflow) }
    let statement = try space.connection.statement(
      "SELECT 1 FROM \(entity.table) WHERE \(SQL.name(SQL.id)) IN \(rows.selection) "
        + "AND \(entity.columns[slot].quoted)\(comparison)? LIMIT 1")
    try statement.bind([.integer(limit.partialValue)])
    if try statement.integer() != nil { throw invalidValue(slot, InvalidValue.overflow) }
  }
}
