internal import CSQLite

/// Writes the rows of an import, and finds out what became of them.
///
/// Nobody knows beforehand whether a row is new. The first new one takes an id above all that anybody has reserved; from
/// there on the highest id is the import's own, so that SQLite can count on, which is cheaper than to bring ids along.
final class RowImporter {
  private let plan: ImportPlan
  private let table: ObjectTable
  private var nextID: Int64
  private var hasInserted = false
  private var count = 0
  private let countBefore: Int64
  private var told: BulkChanges
  private var statements: [Int: Statement] = [:]

  init(_ plan: ImportPlan, _ table: ObjectTable) throws(PersistenceError) {
    self.plan = plan
    self.table = table
    told = BulkChanges(table)
    let connection = table.space.connection
    let floor = try connection.statement(StoreFormat.raiseIDs)
    let highest = try table.highestID()
    // Room for more rows than a file can have.
    guard highest < .max >> 1 else { throw .noIDs(left: table.entity) }
    try floor.bind([.text(table.entity.name), .integer(max(highest + 1, 1)), .integer(0)])
    nextID = try floor.integer() ?? 1
    countBefore = try connection.statement("SELECT count(*) FROM \(table.entity.table)").integer() ?? 0
    connection.forgetLastInsertion()
  }

  func write<Object: ManagedObject, Row>(
    _ rows: [Row], _ fields: [ImportField<Object, Row>]
  ) throws(PersistenceError) {
    let hasID = !hasInserted
    let statement = try statement(rows: rows.count, hasID: hasID)
    table.arena.pointee.reset()
    var index: Int32 = 1
    for (offset, row) in rows.enumerated() {
      if hasID {
        _ = statement.bind(nextID, at: index)
        nextID += 1
        index &+= 1
      }
      for field in fields {
        let code = field.bind(row, statement, index, table.arena)
        if code != SQLITE_OK { throw unstorable(field, row, count + offset, statement.failure(code)) }
        index &+= 1
      }
    }
    do {
      if told.isRecording {
        while try statement.step() { told.add(statement.int64(0), isNew: statement.int64(1) == 1) }
      } else {
        try statement.run()
      }
    } catch {
      throw table.named(error, id: 0)
    }
    count += rows.count
    // A row that was changed does not count as inserted.
    if hasID { hasInserted = table.space.connection.hasInserted }
  }

  func finish() throws(PersistenceError) -> ImportReport {
    let connection = table.space.connection
    let countAfter = try connection.statement("SELECT count(*) FROM \(table.entity.table)").integer() ?? 0
    if hasInserted {
      let statement = try connection.statement(StoreFormat.raiseIDs)
      try statement.bind([.text(table.entity.name), .integer(try table.highestID() + 1), .integer(0)])
      _ = try statement.integer()
    }
    if count > 0 {
      try table.takeOver(reading: plan.slots)
      told.record()
    }
    return ImportReport(rows: count, inserted: Int(countAfter - countBefore))
  }

  private func statement(rows: Int, hasID: Bool) throws(PersistenceError) -> Statement {
    let shape = rows << 2 | (hasID ? 2 : 0) | (told.isRecording ? 1 : 0)
    if let known = statements[shape] { return known }
    let text = plan.statement(rows: rows, hasID: hasID, isTold: told.isRecording)
    let statement = try table.space.connection.prepare(text)
    try plan.bindDefaults(to: statement, rows: rows, hasID: hasID)
    statements[shape] = statement
    return statement
  }

  private func unstorable<Object: ManagedObject, Row>(
    _ field: ImportField<Object, Row>, _ row: Row, _ number: Int, _ failure: PersistenceError
  ) -> PersistenceError {
    let property = table.entity.slot(at: field.keyPath).map { table.entity.columns[$0].property } ?? ""
    guard let reason = field.refusal(row) else { return failure }
    return .invalidValue(
      InvalidValue(type: table.entity.name, attribute: property, id: Int64(number), reason: reason))
  }
}
