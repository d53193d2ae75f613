/// Methods that fetch values without instantiating objects.
extension ObjectSpace {
  /// Fetches the ids of the objects that a request describes.
  public func fetchIDs<Object: ManagedObject>(
    _ request: FetchDescriptor<Object>
  ) throws(PersistenceError) -> [ObjectID<Object>] {
    let id = "t0.\(SQL.name(SQL.id))"
    return try statement(for: request) {
      "SELECT \(id)\($0.keys)\($0.ordered)"
    } body: { (statement) throws(PersistenceError) in
      var ids: [ObjectID<Object>] = []
      while try statement.step() { ids.append(ObjectID(rawValue: statement.int64(0))) }
      return ids
    }
  }

  /// Fetches the value of one attribute for each object that a request describes, in the request's order. If two
  /// objects temporarily have the same value for a unique attribute, the result contains the value twice.
  ///
  /// - Throws: ``PersistenceError/invalidValue(_:)`` if a stored value does not have the attribute's type.
  public func values<Object: ManagedObject, Value: AttributeValue>(
    of path: any KeyPath<Object, Value> & Sendable, in request: FetchDescriptor<Object>
  ) throws(PersistenceError) -> [Value] {
    let column = try column(of: Object.self, at: path)
    let id = "t0.\(SQL.name(SQL.id))"
    return try statement(for: request) {
      "SELECT \(column.sql),\(id)\($0.keys)\($0.ordered)"
    } body: { (statement) throws(PersistenceError) in
      var values: [Value] = []
      let registry = try registry(of: Object.self)
      let unsettled = registry.unsettled(column.slot)
      while try statement.step() {
        let id = statement.int64(1)
        if !unsettled.isEmpty, let object = unsettled[id],
          let value = Value(stored: registry.value(column.slot, of: object))
        {
          values.append(value)
        } else if let value: Value = try column.value(of: statement, 0, id: id) {
          values.append(value)
        }
      }
      return values
    }
  }

  /// Fetches the distinct values of an attribute for the objects that a request describes. The values are sorted by
  /// their stored forms, with nil first. Values that are read in place of unreadable ones are last.
  ///
  /// - Throws: ``PersistenceError/invalidValue(_:)`` if a stored value does not have the attribute's type;
  ///   ``PersistenceError/notUnique(_:)`` if the attribute is unique but two objects of the class currently have the
  ///   same value for it.
  public func distinctValues<Object: ManagedObject, Value: AttributeValue>(
    of path: any KeyPath<Object, Value> & Sendable, in request: FetchDescriptor<Object> = FetchDescriptor(Object.self)
  ) throws(PersistenceError) -> [Value] {
    let column = try column(of: Object.self, at: path)
    return try statement(for: request) {
      "SELECT DISTINCT \(column.sql)\($0.unordered) ORDER BY 1"
    } body: { (statement) throws(PersistenceError) in
      try column.registry.requireSettled(SlotSet(column.slot))
      var values: [Value] = []
      var replaced: [Value] = []
      while try statement.step() {
        if let value = Value(stored: statement.value(0)) {
          values.append(value)
        } else if let value: Value = try column.value(of: statement, 0) {
          replaced.append(value)
        }
      }
      for value in replaced where !values.contains(value) { values.append(value) }
      return values
    }
  }

  func column<Object: ManagedObject>(
    of type: Object.Type, at path: any PropertyPath
  ) throws(PersistenceError) -> ResultColumn {
    let registry = try registry(of: type)
    guard case .attribute(let slot) = registry.entity.property(at: path) else {
      throw .unsupportedQuery(.unknown(path, in: registry.entity))
    }
    return ResultColumn(registry: registry, slot: slot, sql: "t0.\(registry.entity.columns[slot].quoted)")
  }
}

/// An attribute in the result of a statement.
struct ResultColumn {
  let registry: EntityRegistry
  let slot: Int
  let sql: String

  /// Returns nil if the object is to be left out.
  func value<Value: AttributeValue>(
    of statement: Statement, _ index: Int32, id: Int64 = 0
  ) throws(PersistenceError) -> Value? {
    let stored = statement.value(index)
    if let value = Value(stored: stored) { return value }
    do throws(PersistenceError) {
      return try registry.replacement(for: stored, slot, id: id).flatMap { Value(stored: $0) }
    } catch {
      statement.reset()
      throw error
    }
  }
}
