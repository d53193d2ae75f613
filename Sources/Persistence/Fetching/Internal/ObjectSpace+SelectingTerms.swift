extension ObjectSpace {
  /// Runs a statement that selects terms of the rows of a request.
  func select<Object: ManagedObject, Result>(
    _ terms: [SelectedTerm], in request: FetchDescriptor<Object>,
    _ text: (FetchPlan, SQLGenerator, _ columns: [String]) -> String,
    body: (Statement) throws(PersistenceError) -> Result
  ) throws(PersistenceError) -> Result {
    let entity = try registry(of: Object.self).entity
    return try statement(for: request, selecting: terms, text) { (statement) throws(PersistenceError) in
      for term in terms { try requireSettled(term.expression, of: entity) }
      defer { statement.reset() }
      return try body(statement)
    }
  }

  /// Throws if a value that an expression depends on is not yet in its table.
  private func requireSettled(_ expression: QueryExpression, of entity: Entity) throws(PersistenceError) {
    guard registries.contains(where: { !$0.changes.unsettled.isEmpty }) else { return }
    let dependencies = QueryDependencies(expression, in: entity)
    for registry in registries {
      try registry.requireSettled(dependencies.slots[registry.entity.index] ?? SlotSet())
    }
  }
}

/// Reads the terms of a statement's rows, from left to right.
struct TermReader {
  private let statement: Statement
  private let terms: [SelectedTerm]
  private let entity: Entity
  private let first: Int32
  private var index: Int32 = 0

  /// - Parameter first: The column of the first term.
  init(_ statement: Statement, _ terms: [SelectedTerm], of entity: Entity, from first: Int32 = 0) {
    self.statement = statement
    self.terms = terms
    self.entity = entity
    self.first = first
  }

  mutating func beginRow() { index = 0 }

  mutating func next<Value: QueryValue>(_: Value.Type) throws(PersistenceError) -> Value {
    defer { index += 1 }
    let stored = statement.value(first + index)
    if let value = Value._value(stored) { return value }
    if let (entity, column) = terms[Int(index)].attribute(in: entity) {
      if let value = column.unreadable.flatMap(Value._value) { return value }
      throw .invalidValue(column.unreadableValue(stored, of: entity, id: 0))
    }
    let reason = "it is not a value of the expected type"
    let name = terms[Int(index)].description(in: entity)
    let own = name.hasPrefix(entity.name + ".") ? String(name.dropFirst(entity.name.count + 1)) : name
    throw .invalidValue(InvalidValue(type: entity.name, attribute: own, id: 0, reason: reason))
  }
}
