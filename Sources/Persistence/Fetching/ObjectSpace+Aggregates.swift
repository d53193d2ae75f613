extension ObjectSpace {
  /// Calculates a value from the objects that a request describes.
  ///
  /// - Throws: ``PersistenceError/notUnique(_:)`` if the attribute is unique but two objects of the class have the same
  ///   value for it in the running `persist`.
  public func aggregate<Object: ManagedObject, Value>(
    _ aggregate: Aggregate<Object, Value>, over request: FetchDescriptor<Object> = FetchDescriptor(Object.self)
  ) throws(PersistenceError) -> Value {
    let (function, attribute) = try sql(of: aggregate)
    return try statement(for: request) {
      "SELECT \(function)\($0.unordered)"
    } body: { (statement) throws(PersistenceError) in
      if let attribute { try requireSettled(attribute, of: Object.self) }
      // Without GROUP BY there is always exactly one row.
      guard try statement.step() else { throw misread(aggregate, attribute) }
      defer { statement.reset() }
      return try value(of: aggregate, attribute, statement, 0)
    }
  }

  /// Groups the objects that a request describes by the value of an attribute, and calculates a value for each group.
  /// The groups are sorted by the stored form of the attribute, with nil first.
  ///
  /// - Throws: ``PersistenceError/notUnique(_:)`` if the grouping attribute or the aggregated attribute is unique but
  ///   two objects of the class have the same value for it in the running `persist`.
  public func aggregate<Object: ManagedObject, Value, Key: AttributeValue>(
    _ aggregate: Aggregate<Object, Value>, over request: FetchDescriptor<Object> = FetchDescriptor(Object.self),
    by path: any KeyPath<Object, Key> & Sendable
  ) throws(PersistenceError) -> [AggregateGroup<Key, Value>] {
    let (function, attribute) = try sql(of: aggregate)
    let column = try column(of: Object.self, at: path)
    return try statement(for: request) {
      "SELECT \(column.sql),\(function)\($0.unordered) GROUP BY 1 ORDER BY 1"
    } body: { (statement) throws(PersistenceError) in
      if let attribute { try requireSettled(attribute, of: Object.self) }
      try requireSettled(column, of: Object.self)
      var groups: [AggregateGroup<Key, Value>] = []
      while try statement.step() {
        let key: Key = try column.value(of: statement, 0)
        groups.append(AggregateGroup(key: key, value: try value(of: aggregate, attribute, statement, 1)))
      }
      return groups
    }
  }

  private func sql<Object: ManagedObject, Value>(
    of aggregate: Aggregate<Object, Value>
  ) throws(PersistenceError) -> (function: String, attribute: ResultColumn?) {
    if let refusal = aggregate.refusal { throw .unsupportedQuery(refusal) }
    guard let path = aggregate.path else { return ("\(aggregate.function)(*)", nil) }
    let column = try column(of: Object.self, at: path)
    return ("\(aggregate.function)(\(column.sql))", column)
  }

  private func value<Object: ManagedObject, Value>(
    of aggregate: Aggregate<Object, Value>, _ attribute: ResultColumn?, _ statement: Statement, _ index: Int32
  ) throws(PersistenceError) -> Value {
    if let value = aggregate.decode(statement.value(index)) { return value }
    statement.reset()
    throw misread(aggregate, attribute)
  }

  private func misread<Object: ManagedObject, Value>(
    _ aggregate: Aggregate<Object, Value>, _ attribute: ResultColumn?
  ) -> PersistenceError {
    let reason = "its \(aggregate.function) is not a value of the expected type"
    let property = attribute?.property ?? "*"
    return .invalidValue(InvalidValue(type: "\(Object.self)", attribute: property, id: 0, reason: reason))
  }
}

/// The result for one group of objects: the attribute value that all objects in the group share, and the value
/// calculated from those objects.
public struct AggregateGroup<Key: AttributeValue, Value: Sendable>: Sendable {
  /// The attribute's value.
  public let key: Key
  /// The calculated value.
  public let value: Value
}

extension AggregateGroup: Equatable where Value: Equatable {}
