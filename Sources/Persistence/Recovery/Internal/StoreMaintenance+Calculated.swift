/// Columns that are calculated from others: folded texts and fields of JSON. A program that writes only their sources
/// leaves them as they were, and folding may change with the version of Unicode.
extension StoreMaintenance {
  /// Finds the columns that differ from what is calculated now.
  func checkCalculated() throws(PersistenceError) -> [String] {
    var problems: [String] = []
    try connection.beginReading()
    defer { connection.rollback() }
    do {
      for (table, column, value) in calculated {
        let differences = "SELECT count(*) FROM \(SQL.name(table)) WHERE \(SQL.name(column)) IS NOT \(value)"
        let count = try connection.statement(differences).integer() ?? 0
        if count > 0 { problems.append("the column \(column) of \(table) differs in \(count) objects: rebuild it") }
      }
    } catch {
      // Reported by the check of the tables.
      guard case .corrupt = error else { throw error }
    }
    return problems
  }

  /// Called in a write transaction.
  func calculateAgain() throws(PersistenceError) {
    for statement in schema.stored.tables.flatMap({ $0.recalculations() }) { try connection.execute(statement) }
  }

  private var calculated: [(table: String, column: String, value: String)] {
    schema.stored.tables.flatMap { table in
      table.columns.compactMap { column in column.calculation.map { (table.name, column.name, $0) } }
    }
  }
}
