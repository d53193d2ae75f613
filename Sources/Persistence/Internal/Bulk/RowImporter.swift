internal import CSQLite

/// Writes the rows of an import, and finds out what became of them.
///
/// Nobody knows beforehand whether a row is new. The first new one takes an id above all that anybody has reserved;
/// from there on the highest id is the import's own, so that SQLite can count on, which is cheaper than to bring ids
/// along. Whoever makes up a row's values may insert objects of the class meanwhile: then it begins with an id above
/// theirs again.
@usableFromInline final class RowImporter {
  private let plan: ImportPlan
  private let table: ObjectTable
  private var nextID: Int64
  private var hasInserted = false
  private var count = 0
  private var countBefore: Int64
  /// Whether ids were taken that the store's count does not know.
  private var hasTakenIDs = false
  /// Where ids go on after the statement that is being bound, if not behind the highest one.
  private var next: Int64?
  /// The import in one of whose fields this one began.
  private let outer: RowImporter?
  private var told: BulkChanges
  private var statements: [Int: Statement] = [:]
  /// Its own: whoever makes up a row's values may have other texts written meanwhile.
  @exclusivity(unchecked) private var arena = TextArena()
  /// What is being bound: to which statement, how many rows it has, and whether each begins with an id.
  @exclusivity(unchecked) private var current: (statement: Statement, rows: Int, hasID: Bool)?
  @exclusivity(unchecked) private var index: Int32 = 1

  @usableFromInline init(
    _ space: ObjectSpace, _ type: ManagedObject.Type, matching unique: AnyKeyPath, _ fields: [AnyKeyPath]
  ) throws(PersistenceError) {
    let table = try space.beginBulk(type)
    do {
      plan = try ImportPlan(table.entity, matching: unique, fields)
    } catch {
      throw .refused(error)
    }
    self.table = table
    outer = table.importer
    told = BulkChanges(table)
    do throws(PersistenceError) {
      let connection = space.connection
      let floor = try connection.statement(StoreFormat.raiseIDs)
      let highest = try table.highestID()
      // Room for more rows than a file can have.
      guard highest < .max >> 1 else { throw .noIDs(left: table.entity) }
      try floor.bind([.text(table.entity.name), .integer(max(highest + 1, 1)), .integer(0)])
      nextID = max(try floor.integer() ?? 1, try outer?.freeID() ?? 1)
      guard nextID < .max >> 1 else { throw .noIDs(left: table.entity) }
      countBefore = try connection.statement("SELECT count(*) FROM \(table.entity.table)").integer() ?? 0
      connection.forgetLastInsertion()
    } catch {
      space.fail(error)
      throw error
    }
    table.importer = self
  }

  /// A part of the rows is written: the unit cannot be saved any more, even if the caller goes on.
  @usableFromInline func fail(_ error: PersistenceError) {
    table.importer = outer
    table.space.fail(error)
  }

  /// Before the values of so many rows are bound.
  @usableFromInline func begin(rows: Int) throws(PersistenceError) {
    let hasID = !hasInserted
    current = (try statement(rows: rows, hasID: hasID), rows, hasID)
    arena.reset()
    index = 1
  }

  /// Before the values of each row.
  @usableFromInline func beginRow() {
    guard let current, current.hasID else { return }
    _ = current.statement.bind(nextID, at: index)
    nextID += 1
    index &+= 1
  }

  /// Writes what was bound.
  @usableFromInline func run() throws(PersistenceError) {
    guard let (statement, rows, hasID) = current else { return }
    // Rows of any class may have been inserted since, by whoever made up these.
    if hasID { table.space.connection.forgetLastInsertion() }
    do {
      if told.isRecording {
        while try statement.step() { told.add(statement.int64(0), isNew: statement.int64(1) == 1) }
      } else {
        try statement.run()
      }
    } catch {
      throw table.named(error, id: 0)
    }
    count += rows
    // A row that was changed does not count as inserted.
    if hasID { hasInserted = table.space.connection.hasInserted }
    guard let next else { return }
    hasTakenIDs = true
    hasInserted = false
    nextID = max(next, nextID, try table.highestID() + 1)
    self.next = nil
    table.space.connection.forgetLastInsertion()
  }

  @usableFromInline func finish() throws(PersistenceError) -> ImportReport {
    let connection = table.space.connection
    let countAfter = try connection.statement("SELECT count(*) FROM \(table.entity.table)").integer() ?? 0
    table.importer = outer
    outer?.othersHaveWritten(Int(countAfter - countBefore))
    if hasInserted || hasTakenIDs {
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

  /// - Parameter row: its number in the statement.
  @usableFromInline func failure(_ code: Int32, _ field: AnyKeyPath, row: Int, _ refusal: String?) -> PersistenceError {
    let property = table.entity.slot(at: field).map { table.entity.columns[$0].property } ?? ""
    guard let refusal else { return current?.statement.failure(code) ?? .notPersisting }
    return .invalidValue(
      InvalidValue(type: table.entity.name, attribute: property, id: Int64(count + row), reason: refusal))
  }
}

/// What is inserted, and deleted, with objects while rows are made up.
extension RowImporter {
  /// An id above all that are in the store, and that the rows of the statement which is being bound may take.
  func freeID() throws(PersistenceError) -> Int64 {
    max(try table.highestID() + 1, nextID) + Int64(RowImporter.batch)
  }

  /// Ids below are somebody's.
  func goOn(from id: Int64) { next = max(next ?? 0, id) }

  /// So many rows more are in the store, or fewer. The highest id may be one of theirs: what is left of the ids that go
  /// with it the next rows are going to take. Or it is one that others have reserved, when those above are gone.
  func othersHaveWritten(_ count: Int) {
    countBefore += Int64(count)
    outer?.othersHaveWritten(count)
    if count == 0 { return }
    if count > 0 { _ = table.ids.drain() }
    goOn(from: 0)
  }
}

/// The next value of a row. Each call answers as ``Statement/bound`` and ``Statement/unstorable`` say, or with SQLite's
/// code.
extension RowImporter {
  func put(_ value: Int64) -> Int32 { take { $0.bind(value, at: $1) } }

  func put(_ value: Double) -> Int32 { value.isNaN ? Statement.unstorable : take { $0.bind(value, at: $1) } }

  func put(_ text: String) -> Int32 {
    var text = text
    return take { arena.bind(&text, to: $0, at: $1) }
  }

  func putNull() -> Int32 { take { $0.bindNull(at: $1) } }

  func put(_ value: StoredValue) -> Int32 { take { $0.bind(value, at: $1) } }

  @inline(__always) private func take(_ bind: (Statement, Int32) -> Int32) -> Int32 {
    guard let statement = current?.statement else { return Statement.unstorable }
    defer { index &+= 1 }
    return bind(statement, index)
  }
}

extension RowImporter {
  /// Rows per statement: several are a quarter faster than one, and more than these no faster.
  @inlinable static var batch: Int { 16 }

  // Compiled for the rows of whoever calls: for rows of a type that is known only when it runs, copying them and making
  // out what they are would cost as much as to bind them.
  @inlinable func write<Object: ManagedObject, Row>(
    _ rows: [Row], _ fields: [ImportField<Object, Row>]
  ) throws(PersistenceError) {
    try begin(rows: rows.count)
    for number in rows.indices {
      beginRow()
      for field in fields {
        let code = field.bind(rows[number], self)
        if code != 0 { throw failure(code, field.keyPath, row: number, field.refusal(rows[number])) }
      }
    }
    try run()
  }
}
