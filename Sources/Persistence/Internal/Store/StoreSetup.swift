/// Makes the tables of a new store, and checks those of an old one, in one transaction.
struct StoreSetup {
  let schema: Schema
  let connection: Connection
  let place: StorePlace

  func run() throws(PersistenceError) {
    let fingerprint = schema.definitions.flatMap(\.statements).joined(separator: ";\n")
    if try isCurrent(fingerprint) { return }
    try connection.beginWriting()
    do {
      try checkOwner()
      for statement in StoreFormat.own { try connection.execute(statement) }
      for (table, statements) in schema.definitions {
        if try exists(table) {
          try check(table, statements)
        } else {
          for statement in statements { try connection.execute(statement) }
        }
      }
      for entity in schema.entities { try raiseIDs(of: entity) }
      let meta = try connection.statement(
        "INSERT INTO \(StoreFormat.meta) VALUES('schema',?1) ON CONFLICT(name) DO UPDATE SET value=?1")
      try meta.bind([.text(fingerprint)])
      try meta.run()
      try connection.execute("PRAGMA application_id=\(StoreFormat.applicationID)")
      try connection.execute("PRAGMA user_version=\(StoreFormat.version)")
      try connection.commit()
    } catch {
      connection.rollback()
      throw error
    }
  }

  /// Whether the store is one of this format, made for exactly this schema: then nothing is left to do.
  private func isCurrent(_ fingerprint: String) throws(PersistenceError) -> Bool {
    guard try number("PRAGMA application_id") == StoreFormat.applicationID else { return false }
    guard try number("PRAGMA user_version") == StoreFormat.version, try exists(StoreFormat.meta) else { return false }
    let statement = try connection.statement("SELECT value FROM \(StoreFormat.meta) WHERE name='schema'")
    var known: String?
    while try statement.step() { known = statement.text(0) }
    guard known == fingerprint else { return false }
    for entity in schema.entities where try highestID(of: entity) >= nextID(of: entity) { return false }
    return true
  }

  private func highestID(of entity: Entity) throws(PersistenceError) -> Int64 {
    try number("SELECT coalesce(max(\(SQL.name(SQL.id))),0) FROM \(entity.table)")
  }

  /// The lowest that nobody has reserved.
  private func nextID(of entity: Entity) throws(PersistenceError) -> Int64 {
    let statement = try connection.statement("SELECT next FROM \(StoreFormat.ids) WHERE entity=?")
    try statement.bind([.text(entity.name)])
    return try statement.integer() ?? 1
  }

  /// Refuses a database of another program, or of a later version of this one.
  private func checkOwner() throws(PersistenceError) {
    let application = try number("PRAGMA application_id")
    if application != StoreFormat.applicationID {
      guard application == 0, try number("SELECT count(*) FROM sqlite_master") == 0 else {
        throw StoreFile.failure(.notAStore, place)
      }
    }
    if try number("PRAGMA user_version") > StoreFormat.version { throw StoreFile.failure(.tooNew, place) }
  }

  private func number(_ sql: String) throws(PersistenceError) -> Int64 {
    try connection.statement(sql).integer() ?? 0
  }

  private func exists(_ table: String) throws(PersistenceError) -> Bool {
    let statement = try connection.statement("SELECT count(*) FROM sqlite_master WHERE type='table' AND name=?")
    try statement.bind([.text(table)])
    return try statement.integer() ?? 0 > 0
  }

  /// A table that is there must be as the schema says. SQLite keeps the text it was made with.
  private func check(_ table: String, _ statements: [String]) throws(PersistenceError) {
    let statement = try connection.statement(
      "SELECT sql FROM sqlite_master WHERE tbl_name=? AND sql IS NOT NULL ORDER BY type='index', rowid")
    try statement.bind([.text(table)])
    var found: Set<String> = []
    while try statement.step() { found.insert(statement.text(0)) }
    for wanted in statements where !found.contains(wanted) {
      throw StoreFile.failure(.wrongSchema("\(table) was made for other attributes or options"), place)
    }
  }

  /// Rows that came from elsewhere may have ids that nobody reserved.
  private func raiseIDs(of entity: Entity) throws(PersistenceError) {
    let highest = try highestID(of: entity)
    guard highest > 0, highest < .max else { return }
    let statement = try connection.statement(StoreFormat.raiseIDs)
    try statement.bind([.text(entity.name), .integer(highest + 1), .integer(0)])
    _ = try statement.integer()
  }
}
