/// Writes the rows of a corrupt store to a new one if their values are valid.
final class SalvageWriter {
  private let table: StoredTable
  private let statement: Statement
  var rows = SalvagedRows()
  /// The failure of the new store.
  private(set) var error: PersistenceError?

  init(_ table: StoredTable, _ target: Connection) throws(PersistenceError) {
    self.table = table
    let names = (table.isJoin ? [] : [SQL.id]) + table.columns.map(\.name)
    statement = try target.statement(
      "INSERT OR IGNORE INTO \(SQL.name(table.name))(\(names.map(SQL.name).joined(separator: ","))) "
        + "VALUES(\(SQL.marks(names.count)))")
  }

  /// Writes a row. Its first column is the id, or for a pair any value, followed by the table's columns.
  func write(_ row: Statement) {
    if error != nil { return }
    var values: [StoredValue] = table.isJoin ? [] : [.integer(row.int64(0))]
    for (index, column) in table.columns.enumerated() {
      let value = row.value(Int32(index + 1))
      guard column.admits(value) else {
        rows.refused += 1
        return
      }
      values.append(value)
    }
    do throws(PersistenceError) {
      try statement.bind(values)
      try statement.run()
      if statement.changes == 1 {
        rows.saved += 1
      } else if !table.isJoin {
        rows.refused += 1
      }
    } catch {
      self.error = error
    }
  }
}

extension StoredColumn {
  fileprivate func admits(_ value: StoredValue) -> Bool {
    switch (value, StorageClass(rawValue: type)) {
    case (.null, _): isOptional
    case (.integer, .integer), (.integer, .real), (.real, .real), (.text, .text), (.blob, .blob): true
    default: false
    }
  }
}
