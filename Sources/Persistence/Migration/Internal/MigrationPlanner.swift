/// Compares the tables of a store with those of a schema, and determines the operations needed. Accesses no store.
struct MigrationPlanner {
  /// The initial value of an attribute, by column and table, as the schema's classes declare it.
  let defaultValue: (_ column: String, _ table: String) -> StoredValue

  /// Why a store cannot be adapted to the schema automatically.
  struct Refusal: Error, Equatable {
    let text: String
  }

  /// Returns the operations that turn `stored` into `wanted`.
  ///
  /// Tables that `wanted` lacks are removed only if its version is higher: a program may open a store with just some of
  /// its classes. Any other loss of data requires a higher version too.
  func operations(from stored: StoredSchema, to wanted: StoredSchema) throws(Refusal) -> [MigrationOperation] {
    var current = stored
    var result: [MigrationOperation] = []
    func add(_ operation: MigrationOperation) {
      current.apply(operation)
      result.append(operation)
    }
    // SQLite treats names that differ only in case as equal.
    for table in wanted.tables where current.table(table.name) == nil {
      if let old = current.tables.first(where: { $0.name.lowercased() == table.name.lowercased() }) {
        add(.renameTable(old.name, to: table.name, isJoin: table.isJoin))
      }
    }
    for table in wanted.tables {
      guard let old = current.table(table.name) else {
        add(.createTable(table))
        continue
      }
      for operation in try changes(from: old, to: table) { add(operation) }
    }
    if wanted.version > stored.version {
      let gone = current.tables.filter { wanted.table($0.name) == nil }
      for table in gone.sorted(by: { $0.isJoin && !$1.isJoin }) { add(.dropTable(table.name, isJoin: table.isJoin)) }
    } else {
      try checkLosses(result, stored, wanted)
    }
    for table in wanted.tables {
      for index in table.indexes where current.table(table.name)?.index(like: index) == nil {
        var fresh = index
        let taken = Set(current.tables.flatMap(\.indexes).map { $0.name.lowercased() })
        // A renamed column keeps its index, and the index keeps its name.
        while taken.contains(fresh.name.lowercased()) { fresh.name += "'" }
        add(.createIndex(fresh, on: table))
      }
    }
    for table in wanted.tables where !table.search.isEmpty && current.table(table.name)?.search != table.search {
      add(.createSearch(table))
    }
    return result
  }

  private func checkLosses(
    _ operations: [MigrationOperation], _ stored: StoredSchema, _ wanted: StoredSchema
  ) throws(Refusal) {
    var current = stored
    for operation in operations {
      if let loss = operation.losses(in: current).first {
        throw Refusal(text: "this would lose \(loss); to allow it, give the schema a version above \(stored.version)")
      }
      current.apply(operation)
    }
    // Check for relationships that no longer exist although both of their classes do.
    for table in stored.tables where wanted.table(table.name) == nil {
      guard let sides = table.sides, sides.allSatisfy({ wanted.table($0.table) != nil }) else { continue }
      let text =
        "this would lose the relationship \(table.name); to allow it, give the schema a version above \(stored.version)"
      throw Refusal(text: text)
    }
  }

  /// Returns the operations for a table, except for its new indexes.
  private func changes(from old: StoredTable, to new: StoredTable) throws(Refusal) -> [MigrationOperation] {
    guard old.isJoin == new.isJoin else {
      throw Refusal(text: "\(new.name) cannot change between a class and a relationship")
    }
    var result: [MigrationOperation] = []
    let original = old
    var old = old
    for column in new.columns where old.column(column.name) == nil {
      if let index = old.columns.firstIndex(where: { $0.name.lowercased() == column.name.lowercased() }) {
        result.append(.renameColumn(old.columns[index].name, in: new.name, to: column.name))
        old.columns[index].name = column.name
      }
    }
    var sources: [MigrationOperation.Source] = []
    var additions: [MigrationOperation] = []
    var calculations: [MigrationOperation] = []
    var mustRebuild = false
    for column in new.columns {
      guard let known = old.column(column.name) else {
        // Existing text has no sort key, and would receive that of the default value.
        if let sorted = column.sorts, old.column(sorted) != nil {
          let text = "\(new.name).\(sorted) was TEXT and is decimal: convert it in a migration step"
          throw Refusal(text: text)
        }
        let initial = column.orders == nil ? defaultValue(column.name, new.name) : .null
        if case .null = initial, !column.isOptional {
          throw Refusal(text: "\(new.name).\(column.name) is not optional and has no initial value")
        }
        if column.source != nil { calculations.append(.calculate(column, in: new.name)) }
        sources.append(.value(initial))
        additions.append(.addColumn(column, to: new.name, initial: initial))
        // Column definitions can contain constants. A foreign key can be added only without a default.
        if !initial.isLiteralExact || column.references != nil && initial != .null { mustRebuild = true }
        continue
      }
      if column.source != nil, known != column {
        // Nothing is lost: the values are calculated from a property.
        sources.append(.value(.null))
        calculations.append(.calculate(column, in: new.name))
        mustRebuild = true
        continue
      }
      guard known.type == column.type, known.references == column.references else {
        throw Refusal(
          text: "\(new.name).\(column.name) was \(kind(known)) and is \(kind(column)): convert it in a migration step")
      }
      if known.isOptional && !column.isOptional {
        let filling = defaultValue(column.name, new.name)
        sources.append(.filled(column.name, filling))
        for copy in new.columns where copy.source == column.name && old.column(copy.name) != nil {
          calculations.append(.calculate(copy, in: new.name))
        }
        if case .null = filling { throw Refusal(text: "\(new.name).\(column.name) has no value to replace nil") }
        mustRebuild = true
      } else {
        sources.append(.column(column.name))
        if known.isOptional != column.isOptional { mustRebuild = true }
      }
    }
    if old.columns.contains(where: { new.column($0.name) == nil }) { mustRebuild = true }
    if mustRebuild { return result + [.rebuild(new, from: old.name, sources: sources)] + calculations }
    // If a column was renamed, there is none left to drop.
    let isStale = old.search != new.search && !old.search.isEmpty
    if isStale, !result.contains(where: { $0.endsSearch(in: StoredSchema(version: 0, tables: [original])) != nil }) {
      result.append(.dropSearch(new.name))
    }
    for index in old.indexes where new.index(like: index) == nil { result.append(.dropIndex(index.name)) }
    return result + additions + calculations
  }

  private func kind(_ column: StoredColumn) -> String {
    column.references.map { "a relationship to \($0)" } ?? column.type
  }
}
