/// Writes the rows of an import and determines whether each was inserted or updated.
///
/// Whether a row is new is not known in advance. The first new row receives an id above all reserved ones. From then on
/// the import owns the highest id and SQLite assigns the next ones, which is cheaper than passing ids along. The code
/// that produces a row's values may insert objects of the class in the meantime. The import then starts again with an
/// id above theirs.
@usableFromInline final class RowImporter {
  let plan: ImportPlan
  private let mask: SlotSet
  let registry: EntityRegistry
  private var nextID: Int64
  private var hasInserted = false
  private var count = 0
  private var countBefore: Int64
  /// Whether ids were used that the store's counter does not include.
  private var hasTakenIDs = false
  /// The id to continue from after the statement that is being bound. Nil to continue after the highest id.
  private var next: Int64?
  private let transaction: Int
  /// The import whose field closure started this one.
  let outer: RowImporter?
  var keys: ImportedKeys
  /// By shape. The shapes of selections are negative.
  private var statements: [Int: Statement] = [:]
  /// Nil unless orders have to be read before rows are updated.
  private var updatedRows: BulkRows?
  /// Collects the ids of the rows that the current statement will update, for ``updatedRows``.
  @exclusivity(unchecked) private var selection: Statement?
  /// A separate arena: the code that produces a row's values may cause other texts to be written in the meantime.
  @exclusivity(unchecked) private var arena = TextArena()
  /// The statement that is being bound, its number of rows, whether each row begins with an id, and whether it returns
  /// the rows.
  @exclusivity(unchecked) private var current: (statement: Statement, rows: Int, hasID: Bool, returnsRows: Bool)?
  @exclusivity(unchecked) private var index: Int32 = 1

  @usableFromInline init(
    _ space: ObjectSpace, _ type: ManagedObject.Type, matching unique: AnyKeyPath, _ fields: [AnyKeyPath],
    _ lookups: [ImportLookup?]
  ) throws(PersistenceError) {
    let registry = try space.beginBulk(type)
    do {
      plan = try ImportPlan(registry.entity, matching: unique, fields, lookups)
    } catch {
      throw .unsupportedQuery(error)
    }
    self.registry = registry
    mask = plan.slots.reduce(into: SlotSet()) { $0.insert($1) }
    outer = registry.runningImport as? RowImporter
    keys = ImportedKeys(of: registry.entity.index, within: outer?.keys)
    transaction = space.unit.writeTransactions
    do throws(PersistenceError) {
      if space.recordsOrders(changing: mask, of: registry.entity) { updatedRows = try BulkRows(registry) }
      let connection = space.connection
      let floor = try connection.statement(StoreFormat.raiseIDs)
      let highest = try registry.highestID()
      // Leave space for more rows than a file can contain.
      guard highest < .max >> 1 else { throw .noIDs(leftFor: registry.entity.name) }
      try floor.bind([.text(registry.entity.name), .integer(max(highest + 1, 1)), .integer(0)])
      nextID = max(try floor.integer() ?? 1, try outer?.freeID() ?? 1)
      guard nextID < .max >> 1 else { throw .noIDs(leftFor: registry.entity.name) }
      countBefore = try connection.statement("SELECT count(*) FROM \(registry.entity.table)").integer() ?? 0
      connection.forgetLastInsertion()
    } catch {
      space.fail(error)
      throw error
    }
    registry.runningImport = self
  }

  /// Fails the unit. Part of the rows is already written, so it cannot be saved even if the caller continues.
  @usableFromInline func fail(_ error: PersistenceError) {
    registry.runningImport = outer
    registry.space.fail(error)
  }

  /// Prepares a statement for `rows` rows. Call this before binding their values.
  @usableFromInline func begin(rows: Int) throws(PersistenceError) {
    let hasID = !hasInserted
    let returnsRows = registry.space.isRecording || !plan.lookups.isEmpty || !registry.map.isEmpty
    current = (try statement(rows: rows, hasID: hasID, returnsRows), rows, hasID, returnsRows)
    if let updatedRows {
      let shape = -(rows << 1 | (hasID ? 1 : 0))
      if statements[shape] == nil {
        let query = plan.updatedRows(rows: rows, hasID: hasID)
        statements[shape] = try registry.space.connection.prepare(updatedRows.addition(of: query))
      }
      selection = statements[shape]
    }
    arena.reset()
    index = 1
    keys.begin()
  }

  /// Binds the row's id if needed. Call this before binding the row's values.
  @usableFromInline func beginRow() {
    guard let current, current.hasID else { return }
    _ = current.statement.bind(nextID, at: index)
    nextID += 1
    index &+= 1
  }

  /// Writes the bound rows.
  @usableFromInline func run() throws(PersistenceError) {
    guard let (statement, rows, hasID, returnsRows) = current else { return }
    let space = registry.space
    try space.checkTransaction()
    guard space.unit.transaction == .writing, space.unit.writeTransactions == transaction else {
      throw .database(DatabaseError(code: 0, message: "the import's rows were rolled back while it was running"))
    }
    // What that code has changed comes before these rows, and not even the last batch may take it with it.
    if space.hasUnwritten { try space.writePending(isLast: true) }
    if let updatedRows, let selection {
      try updatedRows.clear()
      try selection.run()
      try space.recordOrders(changing: mask, of: registry.entity, rows: updatedRows.selection)
    }
    registry.noteBulk()
    // The code that produced these rows may have inserted rows of any class since.
    if hasID { space.connection.forgetLastInsertion() }
    var found: [(id: Int64, toOnes: [Int64])] = []
    var known: [ManagedObject] = []
    do {
      if returnsRows {
        while try statement.step() {
          let kind: ObjectChangeKind = statement.int64(1) == 1 ? .inserted : .updated
          if let object = registry.noteBulk(statement.int64(0), kind, mask) { known.append(object) }
          if !plan.lookups.isEmpty {
            // SQLite returns the rows in the order in which it writes them.
            found.append((statement.int64(0), plan.toOnes.indices.map { statement.int64(Int32($0) + 2) }))
          }
        }
      } else {
        try statement.run()
      }
    } catch {
      throw registry.named(error, id: 0)
    }
    if !returnsRows, !registry.map.isEmpty { try registry.takeOver(reading: plan.slots) }
    if !known.isEmpty { try registry.takeOver(known, reading: plan.slots) }
    if !found.isEmpty { try keepKeys(of: found, from: count) }
    count += rows
    // An updated row does not count as inserted.
    if hasID { hasInserted = space.connection.hasInserted }
    guard let next else { return }
    hasTakenIDs = true
    hasInserted = false
    nextID = max(next, nextID, try registry.highestID() + 1)
    self.next = nil
    space.connection.forgetLastInsertion()
  }

  @usableFromInline func finish() throws(PersistenceError) -> ImportReport {
    let connection = registry.space.connection
    let countAfter = try connection.statement("SELECT count(*) FROM \(registry.entity.table)").integer() ?? 0
    registry.runningImport = outer
    outer?.recordExternalWrites(Int(countAfter - countBefore))
    if hasInserted || hasTakenIDs {
      let statement = try connection.statement(StoreFormat.raiseIDs)
      try statement.bind([.text(registry.entity.name), .integer(try registry.highestID() + 1), .integer(0)])
      _ = try statement.integer()
    }
    if !keys.kept.isEmpty { try setRelationships() }
    // The code that produced the rows may have loaded some.
    registry.space.unloadAllRelationships()
    return ImportReport(rows: count, inserted: Int(countAfter - countBefore), unknown: keys.unknown)
  }

  private func statement(rows: Int, hasID: Bool, _ returnsRows: Bool) throws(PersistenceError) -> Statement {
    let shape = rows << 2 | (hasID ? 2 : 0) | (returnsRows ? 1 : 0)
    if let known = statements[shape] { return known }
    let text = plan.statement(rows: rows, hasID: hasID, isTold: returnsRows)
    let statement = try registry.space.connection.prepare(text)
    try plan.bindDefaults(to: statement, rows: rows, hasID: hasID)
    statements[shape] = statement
    return statement
  }

  /// - Parameter row: The index of the row in the statement.
  @usableFromInline func failure(_ code: Int32, _ field: AnyKeyPath, row: Int, _ refusal: String?) -> PersistenceError {
    var property = registry.entity.slot(at: field).map { registry.entity.columns[$0].property } ?? ""
    if case .toMany(let relationship) = registry.entity.property(at: field) { property = relationship.property }
    guard let refusal else { return current?.statement.failure(code) ?? .notPersisting }
    return .invalidValue(
      InvalidValue(type: registry.entity.name, attribute: property, id: Int64(count + row), reason: refusal))
  }
}

extension RowImporter: RunningImport {
  func freeID() throws(PersistenceError) -> Int64 {
    max(try registry.highestID() + 1, nextID) + Int64(RowImporter.batch)
  }

  func continueIDs(from id: Int64) { next = max(next ?? 0, id) }

  /// The highest id may now be one of the inserted rows; the import's next rows will take the ids that remain of its
  /// reserved range. Or, after a deletion, it may be one that others have reserved.
  func recordExternalWrites(_ count: Int) {
    countBefore += Int64(count)
    outer?.recordExternalWrites(count)
    if count == 0 { return }
    if count > 0 { _ = registry.ids.drain() }
    continueIDs(from: 0)
  }
}

/// Binds the next value of a row. Each method returns ``Statement/bound``, ``Statement/unstorable``, or a code of
/// SQLite.
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
    // Fails for the values after its last parameter.
    if let selection { _ = bind(selection, index) }
    return bind(statement, index)
  }
}

extension RowImporter {
  /// The number of rows per statement. Several rows are a quarter faster than one, and more than this are no faster.
  @inlinable static var batch: Int { 16 }

  // Compiled into the caller for its row type. For a type known only at run time, copying the rows and determining
  // their type would cost as much as binding them.
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
