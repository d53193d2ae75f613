extension ObjectSpace {
  /// Calculates a number from the objects that a request asks for.
  ///
  /// - Throws: ``PersistenceError/notUnique(_:)`` as long as two objects of the class have the same value of the
  ///   attribute that it is calculated from, which is a unique one.
  public func aggregate<Object: ManagedObject, Value>(
    _ aggregate: Aggregate<Object, Value>, over request: FetchRequest<Object> = FetchRequest(Object.self)
  ) throws(PersistenceError) -> Value {
    let (function, attribute) = try sql(of: aggregate)
    return try statement(for: request) {
      "SELECT \(function)\($0.unordered)"
    } body: { (statement) throws(PersistenceError) in
      if let attribute { try requireSettled(attribute, of: Object.self) }
      // Without GROUP BY there is always one row.
      guard try statement.step() else { throw misread(aggregate) }
      defer { statement.reset() }
      return try value(of: aggregate, statement, 0)
    }
  }

  /// Calculates a number for each value that an attribute has in the objects that a request asks for. The values come
  /// in the order of their stored forms, nil first.
  ///
  /// - Throws: ``PersistenceError/notUnique(_:)`` as long as two objects of the class have the same value of one of the
  ///   attributes, which is a unique one.
  public func aggregate<Object: ManagedObject, Value, Key: AttributeValue>(
    _ aggregate: Aggregate<Object, Value>, over request: FetchRequest<Object> = FetchRequest(Object.self),
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
        groups.append(AggregateGroup(key: key, value: try value(of: aggregate, statement, 1)))
      }
      return groups
    }
  }

  private func sql<Object: ManagedObject, Value>(
    of aggregate: Aggregate<Object, Value>
  ) throws(PersistenceError) -> (function: String, attribute: ResultColumn?) {
    if let refusal = aggregate.refusal { throw .refused(refusal) }
    guard let path = aggregate.path else { return ("\(aggregate.function)(*)", nil) }
    let column = try column(of: Object.self, at: path)
    return ("\(aggregate.function)(\(column.sql))", column)
  }

  private func value<Object: ManagedObject, Value>(
    of aggregate: Aggregate<Object, Value>, _ statement: Statement, _ index: Int32
  ) throws(PersistenceError) -> Value {
    if let value = aggregate.decode(statement.value(index)) { return value }
    statement.reset()
    throw misread(aggregate)
  }

  private func misread<Object: ManagedObject, Value>(_ aggregate: Aggregate<Object, Value>) -> PersistenceError {
    let reason = "its \(aggregate.function) is no value of the expected type"
    let property = aggregate.path?.queryDescription ?? "*"
    return .invalidValue(InvalidValue(type: "\(Object.self)", attribute: property, id: 0, reason: reason))
  }
}

/// The objects that have one value in an attribute, and the number calculated from them.
public struct AggregateGroup<Key: AttributeValue, Value: Sendable>: Sendable {
  /// The attribute's value.
  public let key: Key
  /// The number.
  public let value: Value
}

extension AggregateGroup: Equatable where Value: Equatable {}
