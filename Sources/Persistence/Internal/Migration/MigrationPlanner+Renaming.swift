/// Renaming, which no comparison can find out. The schema takes the new names; what is returned makes the tables follow.
extension MigrationPlanner {
  static func renameClass(
    _ old: String, to new: String, in schema: inout StoredSchema
  ) throws(Refusal) -> [MigrationOperation] {
    guard let table = schema.table(old), !table.isJoin else { throw Refusal(text: "the store has no class \(old)") }
    if schema.table(new) != nil { throw Refusal(text: "the store has a class \(new) already") }
    let rename = MigrationOperation.renameTable(old, to: new, isJoin: false)
    schema.apply(rename)
    return [rename] + relabel(&schema) { $0.table == old ? StoredSide(table: new, property: $0.property) : $0 }
  }

  /// An attribute by its column, or a relationship by its property.
  static func renameProperty(
    _ old: String, of name: String, to new: String, in schema: inout StoredSchema
  ) throws(Refusal) -> [MigrationOperation] {
    guard let table = schema.table(name), !table.isJoin else { throw Refusal(text: "the store has no class \(name)") }
    var result: [MigrationOperation] = []
    if table.column(old) != nil {
      if table.column(new) != nil { throw Refusal(text: "\(name) has \(new) already") }
      result.append(.renameColumn(old, in: name, to: new))
      schema.apply(result[0])
    }
    result += relabel(&schema) {
      $0 == StoredSide(table: name, property: old) ? StoredSide(table: name, property: new) : $0
    }
    // The many side of a one-to-many relationship without an order is in no table.
    return result
  }

  /// Gives relationships the new names of their sides: tables of pairs are named after them, and columns of places too.
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
      let sorted = sides.sorted { $0.path < $1.path }
      new.name = sorted.map(\.path).joined(separator: "+")
      new.sides = sorted
      let isSwapped = sorted != sides
      var operations: [MigrationOperation]
      if isSwapped {
        // The columns are named for the order of the sides.
        new.columns = swapped(new.columns)
        let sources = new.columns.map { MigrationOperation.Source.column(swapped($0.name)) }
        operations = [.rebuild(new, from: table.name, sources: sources)]
        let index = StoredIndex(
          name: new.name + ".inverse", columns: [JoinTable.second, JoinTable.first], isUnique: false)
        operations.append(.createIndex(index, on: new))
      } else {
        operations = [.renameTable(table.name, to: new.name, isJoin: true)]
      }
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

  private static func swapped(_ columns: [StoredColumn]) -> [StoredColumn] {
    columns.map { column in
      var result = column
      result.name = swapped(column.name)
      return result
    }.sorted { ($0.orders == nil ? 0 : 1, $0.name) < ($1.orders == nil ? 0 : 1, $1.name) }
  }

  private static func swapped(_ name: String) -> String {
    switch name {
    case JoinTable.first: JoinTable.second
    case JoinTable.second: JoinTable.first
    case SQL.order(of: JoinTable.first): SQL.order(of: JoinTable.second)
    case SQL.order(of: JoinTable.second): SQL.order(of: JoinTable.first)
    default: name
    }
  }
}
