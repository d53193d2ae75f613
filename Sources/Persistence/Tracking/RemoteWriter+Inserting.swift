extension RemoteWriter {
  /// Inserts rows, without objects where that is possible.
  ///
  /// - Parameters:
  ///   - value: Returns the value of a row, by its number, for a property, by its index. For nil, and for properties
  ///     that are not listed, the row has the default value of the class.
  /// - Returns: The ids, in the order of the rows.
  package func insert(
    _ type: String, _ properties: [String], rows: Int, _ value: (_ row: Int, _ property: Int) -> StoredValue?
  ) throws(PersistenceError) -> [Int64] {
    let table = try table(of: type)
    let columns = table.registry.entity.columns.map { column in properties.firstIndex(of: column.property) }
    // The other side of a one-to-one relationship has a column of its own.
    let isPaired = table.registry.entity.references.contains { $0?.inverse.declaration.slot != nil }
    // A value may be one that a row has just given up.
    try space.writePending()
    var ids: [Int64] = []
    ids.reserveCapacity(rows)
    while ids.count < rows {
      let batch = ids.count..<min(ids.count + TableStatements.batch, rows)
      if !isPaired, batch.count == TableStatements.batch,
        let new = try insert(batch, into: table.registry, { row, slot in columns[slot].flatMap { value(row, $0) } })
      {
        ids += new
        continue
      }
      for row in batch {
        var values: [String: StoredValue] = [:]
        for (index, property) in properties.enumerated() { values[property] = value(row, index) }
        ids.append(try insert(type, values))
      }
    }
    return ids
  }

  /// - Returns: Nil if the rows violate a constraint. Then none is inserted.
  private func insert(
    _ batch: Range<Int>, into registry: EntityRegistry, _ value: (_ row: Int, _ slot: Int) -> StoredValue?
  ) throws(PersistenceError) -> [Int64]? {
    let statement = try space.connection.statement(registry.statements.insertBatch)
    var ids: [Int64] = []
    ids.reserveCapacity(batch.count)
    var index: Int32 = 1
    for row in batch {
      let id = try space.nextID(for: registry)
      ids.append(id)
      _ = statement.bind(id, at: index)
      for (slot, column) in registry.entity.columns.enumerated() {
        let value = value(row, slot) ?? column.defaultValue
        index &+= 1
        guard column.accepts(value), statement.bind(value, at: index) == Statement.bound else {
          throw registry.invalidValue(slot, id: id, Self.wrongType)
        }
      }
      index &+= 1
    }
    do {
      try statement.run()
    } catch {
      guard case .database(let cause) = error, cause.isConstraint else { throw error }
      return nil
    }
    for id in ids { registry.noteBulk(id, .inserted) }
    return ids
  }
}

extension Column {
  func accepts(_ value: StoredValue) -> Bool {
    switch (layout, value) {
    case (.int64, .integer), (.double, .real), (.text, .text), (.optionalInt64, .integer), (.optionalInt64, .null),
      (.optionalDouble, .real), (.optionalDouble, .null), (.optionalText, .text), (.optionalText, .null):
      true
    default: isReadable(value)
    }
  }
}
