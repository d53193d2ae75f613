extension MigrationRun {
  private static let rowsAtATime = 10_000
  /// The name of a table while it is being built to replace another.
  private static let temporary = "_larder_new"

  func execute(_ operation: MigrationOperation) throws(PersistenceError) {
    if let table = operation.endsSearch(in: current), let search = table.searchTable {
      try connection.remove(search)
    }
    switch operation {
    case .createTable(let table): try connection.execute(table.creation())
    case .dropTable(let name, _): try connection.execute("DROP TABLE \(SQL.name(name))")
    case .renameTable(let old, let new, let isJoin): try renameTable(old, to: new, isJoin: isJoin)
    case .renameColumn(let column, let table, let new):
      try connection.execute(
        "ALTER TABLE \(SQL.name(table)) RENAME COLUMN \(SQL.name(column)) TO \(SQL.name(new))")
    case .addColumn(let column, let table, let initial):
      let value = initial == .null ? "" : " DEFAULT \(initial.literal ?? "NULL")"
      try connection.execute("ALTER TABLE \(SQL.name(table)) ADD COLUMN \(column.definition)\(value)")
    case .calculate(let column, let table):
      let total = try count(of: table)
      report(0, of: total)
      if let statement = column.recalculation(in: table) { try connection.execute(statement) }
      report(total, of: total)
    case .rebuild(let table, let old, let sources): try rebuild(table, from: old, sources)
    case .createIndex(let index, let table):
      let total = try count(of: table.name)
      report(0, of: total)
      try connection.execute(table.creation(of: index))
      report(total, of: total)
    case .dropIndex(let name): try connection.execute("DROP INDEX \(SQL.name(name))")
    case .createSearch(let table):
      let total = try count(of: table.name)
      report(0, of: total)
      if let search = table.searchTable { try connection.rebuild(search) }
      report(total, of: total)
    case .dropSearch: break
    }
    apply(operation)
    try follow(operation)
  }

  /// Drops all full-text indexes, because a custom step can change any row. For the same reason no base is known.
  func prepareForCustomStep() throws(PersistenceError) {
    for search in current.tables.compactMap(\.searchTable) { try connection.remove(search) }
    applyCustomStep()
    forgetBases()
  }

  /// Calculates columns again whose sources a custom step may have changed.
  func calculateAfterCustomStep() throws(PersistenceError) {
    for statement in current.tables.flatMap({ $0.recalculations() }) { try connection.execute(statement) }
  }

  private func renameTable(_ old: String, to new: String, isJoin: Bool) throws(PersistenceError) {
    var from = old
    if old.lowercased() == new.lowercased() {
      // SQLite considers a table of that name to exist already.
      try connection.execute("ALTER TABLE \(SQL.name(old)) RENAME TO \(SQL.name(Self.temporary))")
      from = Self.temporary
    }
    try connection.execute("ALTER TABLE \(SQL.name(from)) RENAME TO \(SQL.name(new))")
    if isJoin { return }
    // The name may have belonged to an earlier class whose ids were handed out.
    let known = try connection.statement("SELECT max(next) FROM \(StoreFormat.ids) WHERE entity IN (?1,?2)")
    try known.bind([.text(old), .text(new)])
    guard let next = try known.integer(), next > 0 else { return }
    let statement = try connection.statement(StoreFormat.raiseIDs)
    try statement.bind([.text(new), .integer(next), .integer(0)])
    _ = try statement.integer()
  }

  private func rebuild(
    _ table: StoredTable, from old: String, _ sources: [MigrationOperation.Source]
  ) throws(PersistenceError) {
    try connection.execute(table.creation(as: Self.temporary))
    var values: [StoredValue] = []
    func mark(_ value: StoredValue) -> String {
      values.append(value)
      return "?\(values.count + 2)"
    }
    let expressions = sources.map { $0.sql(mark) }
    let own = table.isJoin ? [] : [SQL.name(SQL.id), SQL.name(SQL.version)]
    let names = (own + table.columns.map { SQL.name($0.name) }).joined(separator: ",")
    let head =
      "INSERT INTO \(SQL.name(Self.temporary))(\(names)) SELECT "
      + (own + expressions).joined(separator: ",") + " FROM \(SQL.name(old))"
    let total = try count(of: old)
    report(0, of: total)
    if table.isJoin {
      try connection.execute(head)
    } else {
      try copy(by: head, values, total)
    }
    try connection.execute("DROP TABLE \(SQL.name(old))")
    try connection.execute("ALTER TABLE \(SQL.name(Self.temporary)) RENAME TO \(SQL.name(table.name))")
  }

  private func copy(by head: String, _ values: [StoredValue], _ total: Int) throws(PersistenceError) {
    let id = SQL.name(SQL.id)
    let statement = try connection.statement(head + " WHERE \(id)>=?1 ORDER BY \(id) LIMIT ?2")
    let last = try connection.statement("SELECT max(\(id)) FROM \(SQL.name(Self.temporary))")
    var next = Int64.min
    var done = 0
    while true {
      try statement.bind([.integer(next), .integer(Int64(Self.rowsAtATime))] + values)
      try statement.run()
      let count = statement.changes
      done += count
      report(done, of: total)
      guard count == Self.rowsAtATime, let highest = try last.integer(), highest < .max else { return }
      next = highest + 1
    }
  }

  func count(of table: String) throws(PersistenceError) -> Int {
    Int(try connection.statement("SELECT count(*) FROM \(SQL.name(table))").integer() ?? 0)
  }

  func nextID(of type: String) throws(PersistenceError) -> Int64 {
    let highest =
      try connection.statement(
        "SELECT coalesce(max(\(SQL.name(SQL.id))),0) FROM \(SQL.name(type))"
      ).integer() ?? 0
    guard highest < .max else { throw .full(DatabaseError(code: 13, message: "there are no ids left for \(type)")) }
    let statement = try connection.statement(StoreFormat.raiseIDs)
    try statement.bind([.text(type), .integer(max(highest + 1, 1)), .integer(1)])
    return (try statement.integer() ?? 1) - 1
  }
}
