internal import Foundation

/// Creates the tables of a new store, or migrates those of an old one, in a single transaction.
struct StoreSetup {
  let schema: Schema
  let connection: Connection
  let place: StorePlace
  let configuration: StoreConfiguration

  /// The state of a store before setup.
  enum State {
    case empty
    /// Nothing needs to be done.
    case current(StoredSchema)
    /// Only base tables or their triggers are missing.
    case untracked(StoredSchema)
    case stored(StoredSchema)
  }

  /// - Returns: The report of the migration, or nil if none was necessary.
  func run() throws(PersistenceError) -> MigrationReport? {
    if case .current = try snapshot() { return nil }
    // SQLite accepts these settings only outside a transaction. The migration checks foreign keys itself.
    try connection.execute("PRAGMA foreign_keys=OFF; PRAGMA legacy_alter_table=OFF")
    let report = try write()
    try connection.execute("PRAGMA foreign_keys=ON")
    return report
  }

  /// Determines the store's state from a snapshot. Writes nothing. Locks the file a single time instead of once per
  /// class.
  func snapshot() throws(PersistenceError) -> State {
    try connection.beginReading()
    defer { connection.rollback() }
    return try state()
  }

  /// Determines the store's state within a transaction that has already begun.
  func state() throws(PersistenceError) -> State {
    try checkOwner()
    if !schema.searchTables.isEmpty, try !connection.hasFullTextSearch() {
      throw StoreFile.failure(.noFullTextSearch, place)
    }
    guard try exists(StoreFormat.meta) else { return .empty }
    let text = try connection.meta("schema")
    let wanted = schema.stored
    // Nearly every opening finds an identical text, so comparing it is enough.
    let isAsWanted = text == wanted.text
    guard let text, let stored = isAsWanted ? wanted : StoredSchema(text: text) else {
      throw StoreFile.failure(.wrongSchema("the store's schema description is not readable"), place)
    }
    if stored.version > schema.version { throw StoreFile.failure(.tooNew, place) }
    guard isAsWanted || fits(stored, wanted) else { return .stored(stored) }
    return try connection.tracks(schema) ? .current(stored) : .untracked(stored)
  }

  /// Checks a store that is opened only for reading. Throws if anything would have to be done.
  func checkReadable() throws(PersistenceError) {
    switch try snapshot() {
    // Nothing is written that would have to be tracked.
    case .current, .untracked: return
    case .empty: throw StoreFile.failure(.notAStore, place)
    case .stored(let stored): if !fits(stored, schema.stored) { throw StoreFile.failure(.migrationNeeded, place) }
    }
  }

  /// Whether the store has everything that is required, and possibly more.
  private func fits(_ stored: StoredSchema, _ wanted: StoredSchema) -> Bool {
    guard stored.version == wanted.version else { return false }
    do {
      let planner = MigrationPlanner(defaultValue: schema.defaultValue)
      return try planner.operations(from: stored, to: wanted).isEmpty
    } catch {
      return false
    }
  }

  private func write() throws(PersistenceError) -> MigrationReport? {
    let clock = ContinuousClock()
    let start = clock.now
    var report = try connection.writing { () throws(PersistenceError) in
      switch try state() {
      // Another process may have been faster.
      case .current: return nil as MigrationReport?
      case .empty:
        try StoreSetup.create(schema.stored, schema, on: connection)
        try connection.track(schema)
        return nil
      case .untracked:
        try connection.track(schema)
        try connection.execute(StoreFormat.countCommit)
        return nil
      case .stored(let stored):
        let report = try migrate(stored)
        try connection.track(schema)
        return report
      }
    }
    report?.duration = clock.now - start
    return report
  }

  private func migrate(_ stored: StoredSchema) throws(PersistenceError) -> MigrationReport? {
    guard configuration.migratesAutomatically else { throw StoreFile.failure(.migrationNeeded, place) }
    try checkTables(stored)
    var backup: StoreBackup.Place?
    if try plan(stored).isDestructive, configuration.backsUpBeforeDataLoss, !place.isURI {
      // No one can write in the meantime: the transaction has begun.
      backup = try StoreBackup.beside(place, version: stored.version)
      if let backup { try back(up: backup) }
    }
    let run = MigrationRun(schema, from: stored, on: connection, progress: configuration.onMigrationProgress)
    do { try run.run() } catch {
      guard case .migrationFailed(let failure) = error else { throw error }
      throw .migrationFailed(
        MigrationFailure(reason: failure.reason, step: failure.step, backup: backup?.url.path))
    }
    try StoreSetup.describe(run.current, on: connection)
    // The recorded history refers to the old classes.
    try HistoryLog(connection, schema).restart()
    return MigrationReport(
      oldVersion: stored.version, newVersion: schema.version, steps: run.steps, duration: .zero, backup: backup?.url)
  }

  private func back(up backup: StoreBackup.Place) throws(PersistenceError) {
    // A backup copies the file, whatever location it is given.
    try StoreBackup.make(of: place, configuration, at: backup) { done, total in
      configuration.onMigrationProgress?(
        MigrationProgress(step: "back up the store", index: 0, count: 1, rows: done, totalRows: total))
    }
  }

  func plan(_ stored: StoredSchema) throws(PersistenceError) -> MigrationPlan {
    do {
      return try MigrationPlan(schema, from: stored)
    } catch {
      throw StoreFile.failure(.wrongSchema(error.text), place)
    }
  }

  /// Creates the tables in an empty file, within a transaction.
  static func create(
    _ stored: StoredSchema, _ schema: Schema, on connection: Connection
  ) throws(PersistenceError) {
    for statement in StoreFormat.own { try connection.execute(statement) }
    let nothing = StoredSchema(version: stored.version, tables: [])
    let run = MigrationRun(schema, from: nothing, on: connection, progress: nil)
    try run.change(to: stored) { _, _ in .null }
    try describe(stored, on: connection)
    try connection.execute("PRAGMA application_id=\(StoreFormat.applicationID)")
    try connection.execute("PRAGMA user_version=\(StoreFormat.version)")
  }

  private static func describe(_ stored: StoredSchema, on connection: Connection) throws(PersistenceError) {
    try connection.setMeta("schema", to: stored.text)
  }

  /// Throws if the tables differ from their description: someone may have changed them by hand, and the result of a
  /// migration would be unpredictable.
  private func checkTables(_ stored: StoredSchema) throws(PersistenceError) {
    let statement = try connection.statement("SELECT name FROM pragma_table_info(?1)")
    for table in stored.tables {
      try statement.bind([.text(table.name)])
      var found: Set<String> = []
      while try statement.step() { found.insert(statement.text(0)) }
      let own = table.isJoin ? [] : [SQL.id, SQL.version]
      guard found == Set(own + table.columns.map(\.name)) else {
        let text = "the columns of \(table.name) differ from the store's schema description"
        throw StoreFile.failure(.wrongSchema(text), place)
      }
    }
  }

  /// Rejects a database of another program, or of a later version of this library.
  private func checkOwner() throws(PersistenceError) {
    try connection.checkOwner(place)
    // The order matters: another process may be creating a store in an empty file, and commits both together.
    let isStore = try number("PRAGMA application_id") == StoreFormat.applicationID
    let version = try number("PRAGMA user_version")
    if version > StoreFormat.version { throw StoreFile.failure(.tooNew, place) }
    if isStore, version < StoreFormat.version {
      throw StoreFile.failure(.tooOld, place)
    }
  }

  private func number(_ sql: String) throws(PersistenceError) -> Int64 {
    try connection.statement(sql).integer() ?? 0
  }

  private func exists(_ table: String) throws(PersistenceError) -> Bool {
    let statement = try connection.statement("SELECT count(*) FROM sqlite_master WHERE type='table' AND name=?")
    try statement.bind([.text(table)])
    return try statement.integer() ?? 0 > 0
  }
}
