/// Compares what a store has with what a schema wants, and says what has to be done. It touches no store.
struct MigrationPlanner {
  /// What a schema's classes give an attribute at first, by column and table.
  let defaultValue: (_ column: String, _ table: String) -> StoredValue

  /// Why a store cannot become what the schema wants by itself.
  struct Refusal: Error, Equatable {
    let text: String
  }

  /// The operations that make `wanted` of `stored`. Tables that `wanted` does not have go if its version is higher, and
  /// stay otherwise: a program may open a store with some of its classes only. For whatever else loses data the version
  /// must be higher too.
  func operations(from stored: StoredSchema, to wanted: StoredSchema) throws(Refusal) -> [MigrationOperation] {
    var current = stored
    var result: [MigrationOperation] = []
    func add(_ operation: MigrationOperation) {
      current.apply(operation)
      result.append(operation)
    }
    // Names that differ in nothing but case are the same to SQLite.
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
        // A renamed column keeps its index, and that its name.
        while taken.contains(fresh.name.lowercased()) { fresh.name += "'" }
        add(.createIndex(fresh, on: table))
      }
    }
    return result
  }

  private func checkLosses(
    _ operations: [MigrationOperation], _ stored: StoredSchema, _ wanted: StoredSchema
  ) throws(Refusal) {
    var current = stored
    for operation in operations {
      if let loss = operation.losses(in: current).first {
        throw Refusal(text: "\(loss) would be lost; a schema with a version above \(stored.version) may do that")
      }
      current.apply(operation)
    }
    // A relationship between two classes that are both there still, and do not have it any more.
    for table in stored.tables where wanted.table(table.name) == nil {
      guard let sides = table.sides, sides.allSatisfy({ wanted.table($0.table) != nil }) else { continue }
      let text =
        "the relationship \(table.name) would be lost; a schema with a version above \(stored.version) may do that"
      throw Refusal(text: text)
    }
  }

  /// The operations for one table, its new indexes left out.
  private func changes(from old: StoredTable, to new: StoredTable) throws(Refusal) -> [MigrationOperation] {
    guard old.isJoin == new.isJoin else {
      throw Refusal(text: "\(new.name) is a relationship or a class, and was the other")
    }
    var result: [MigrationOperation] = []
    var old = old
    for column in new.columns where old.column(column.name) == nil {
      if let index = old.columns.firstIndex(where: { $0.name.lowercased() == column.name.lowercased() }) {
        result.append(.renameColumn(old.columns[index].name, in: new.name, to: column.name))
        old.columns[index].name = column.name
      }
    }
    var sources: [MigrationOperation.Source] = []
    var additions: [MigrationOperation] = []
    var mustRebuild = false
    for column in new.columns {
      guard let known = old.column(column.name) else {
        // Text that is there has no key to be sorted by, and would be given the default's.
        if let sorted = column.sorts, old.column(sorted) != nil {
          let text = "\(new.name).\(sorted) was TEXT and is decimal: a migration step must say how"
          throw Refusal(text: text)
        }
        let initial = column.orders == nil ? defaultValue(column.name, new.name) : .null
        if case .null = initial, !column.isOptional {
          throw Refusal(text: "\(new.name).\(column.name) has no value for the rows that there are")
        }
        sources.append(.value(initial))
        additions.append(.addColumn(column, to: new.name, initial: initial))
        // Constants can be written into the definition, and a foreign key only without one.
        if initial.literal == nil || column.references != nil && initial != .null { mustRebuild = true }
        continue
      }
      guard known.type == column.type, known.references == column.references else {
        throw Refusal(
          text: "\(new.name).\(column.name) was \(kind(known)) and is \(kind(column)): a migration step must say how")
      }
      if known.isOptional && !column.isOptional {
        let filling = defaultValue(column.name, new.name)
        sources.append(.filled(column.name, filling))
        if case .null = filling { throw Refusal(text: "\(new.name).\(column.name) has no value in place of nil") }
        mustRebuild = true
      } else {
        sources.append(.column(column.name))
        if known.isOptional != column.isOptional { mustRebuild = true }
      }
    }
    if old.columns.contains(where: { new.column($0.name) == nil }) { mustRebuild = true }
    if mustRebuild { return result + [.rebuild(new, from: old.name, sources: sources)] }
    for index in old.indexes where new.index(like: index) == nil { result.append(.dropIndex(index.name)) }
    return result + additions
  }

  private func kind(_ column: StoredColumn) -> String {
    column.references.map { "a relationship to \($0)" } ?? column.type
  }
}
