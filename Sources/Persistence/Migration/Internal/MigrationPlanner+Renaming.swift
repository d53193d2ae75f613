/// Renaming, which a comparison cannot detect. Each method gives the new names to the schema, and returns the
/// operations that rename the tables and columns accordingly.
extension MigrationPlanner {
  static func renameClass(
    _ old: String, to new: String, in schema: inout StoredSchema
  ) throws(Refusal) -> [MigrationOperation] {
    guard let table = schema.table(old), !table.isJoin else { throw schema.missing(old, in: nil) }
    if schema.table(new) != nil { throw Refusal(text: "the store already has a class \(new)") }
    let rename = MigrationOperation.renameTable(old, to: new, isJoin: false)
    schema.apply(rename)
    return [rename] + relabel(&schema) { $0.table == old ? StoredSide(table: new, property: $0.property) : $0 }
  }

  /// Renames an attribute, by its column, or a relationship, by its property.
  static func renameProperty(
    _ old: String, of name: String, to new: String, in schema: inout StoredSchema
  ) throws(Refusal) -> [MigrationOperation] {
    guard let table = schema.table(name), !table.isJoin else { throw schema.missing(name, in: nil) }
    guard schema.names(in: name).contains(old) else { throw schema.missing(old, in: name) }
    var result: [MigrationOperation] = []
    if table.column(old) != nil {
      if table.column(new) != nil { throw Refusal(text: "\(name) already has a property \(new)") }
      result.append(.renameColumn(old, in: name, to: new))
      for column in table.columns where column.source == old {
        let renamed = column.extracts.map { SQL.field($0.path, of: new) } ?? SQL.folded(of: new)
        result.append(.renameColumn(column.name, in: name, to: renamed))
      }
      if table.column(SQL.sortKey(of: old)) != nil {
        result.append(.renameColumn(SQL.sortKey(of: old), in: name, to: SQL.sortKey(of: new)))
      }
      for operation in result { schema.apply(operation) }
    }
    result += relabel(&schema) {
      $0 == StoredSide(table: name, property: old) ? StoredSide(table: name, property: new) : $0
    }
    return result
  }

  /// Renames the sides of relationships. Join tables and order columns are named after them and are renamed too.
  private static func relabel(
    _ schema: inout StoredSchema, _ rename: (StoredSide) -> StoredSide
  ) -> [MigrationOperation] {
    var result: [MigrationOperation] = []
    for table in schema.tables {
      var new = table
      for index in new.columns.indices {
        guard let side = new.columns[index].orders else { continue }
        let other = rename(side)
        new.columns[index].orders = other
        if !table.isJoin, other.property != side.property {
          new.columns[index].name = SQL.order(of: other.property)
          let operation = MigrationOperation.renameColumn(
            table.columns[index].name, in: table.name, to: new.columns[index].name)
          result.append(operation)
          schema.apply(operation)
        }
      }
      guard let sides = table.sides?.map(rename), sides != table.sides else {
        schema.replace(table.name, with: withOrders(schema.table(table.name) ?? new, new))
        continue
      }
      let relabelled = relabelled(table, sides)
      new = relabelled.table
      let operations = relabelled.operations
      for operation in operations { schema.apply(operation) }
      result += operations
      if var renamed = schema.table(new.name) {
        renamed.sides = new.sides
        schema.replace(new.name, with: withOrders(renamed, new))
      }
    }
    return result
  }

  private static func withOrders(_ table: StoredTable, _ labelled: StoredTable) -> StoredTable {
    var result = table
    for index in result.columns.indices {
      let name = result.columns[index].name
      if let orders = labelled.column(name)?.orders { result.columns[index].orders = orders }
    }
    return result
  }

  /// Returns a join table whose sides have new names, and the operations that turn the old table into it. Its columns
  /// are named after the sides and sorted in the same order.
  private static func relabelled(
    _ table: StoredTable, _ sides: [StoredSide]
  ) -> (table: StoredTable, operations: [MigrationOperation]) {
    let sorted = sides.sorted { $0.path < $1.path }
    let isSwapped = sorted != sides
    let old = table.columns.prefix(2).map(\.name)
    let isOrdered = old.map { table.column(SQL.order(of: $0)) != nil }
    let new = StoredTable(pairing: sorted, isOrdered: isSwapped ? isOrdered.reversed() : isOrdered)
    let names = new.columns.prefix(2).map(\.name)
    let pairs = Array(zip(isSwapped ? old.reversed() : old, names))
    let all = pairs + pairs.map { (SQL.order(of: $0), SQL.order(of: $1)) }
    if !isSwapped {
      let renamed = all.filter { old, new in old != new && table.column(old) != nil }
      return (
        new,
        [.renameTable(table.name, to: new.name, isJoin: true)]
          + renamed.map { .renameColumn($0, in: new.name, to: $1) }
      )
    }
    let sources = new.columns.map { column in
      MigrationOperation.Source.column(all.first { $0.1 == column.name }?.0 ?? column.name)
    }
    return (
      new, [.rebuild(new, from: table.name, sources: sources)] + new.indexes.map { .createIndex($0, on: new) }
    )
  }
}
