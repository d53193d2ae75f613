internal import CSQLite
internal import Foundation

/// One SQLite connection, without SQLite's own mutexes: whoever owns it uses it from one thread at a time.
final class Connection {
  /// For the extensions in this folder alone.
  let handle: OpaquePointer
  private let cache: StatementCache
  /// What a statement asks that changes a run of rows.
  let rowFunction = RowFunction()
  /// Who is told of commits.
  var checkpointer: Checkpointer?
  /// Whether commits go through a write-ahead log.
  let hasLog: Bool
  /// nil once the connection is closed.
  private var transaction: TransactionStatements?
  private var hasWritten = false

  /// - Parameter isExisting: no file is made where there is none.
  init(
    _ place: StorePlace, _ configuration: StoreConfiguration, isExisting: Bool = false
  ) throws(PersistenceError) {
    let (isReadOnly, isImmutable) = (configuration.isReadOnly, configuration.isImmutable)
    let flags =
      (isImmutable ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE)
      | (isExisting || isReadOnly ? 0 : SQLITE_OPEN_CREATE) | (place.isURI || isImmutable ? SQLITE_OPEN_URI : 0)
    let name = isImmutable ? place.immutableName : place.name
    let opened = try Connection.open(name, flags, vfs: configuration.vfs)
    do {
      sqlite3_extended_result_codes(opened, 1)
      sqlite3_busy_timeout(opened, configuration.busyMilliseconds)
      let deadline = ContinuousClock.now + configuration.busyTimeout
      try Connection.checkOwner(of: opened, place)
      for pragma in configuration.pragmas(inMemory: place.isURI) {
        try Connection.execute(pragma, on: opened, until: deadline)
      }
      try TextFunction.register(on: opened)
      try SumFunction.register(on: opened)
      try DecimalFunction.register(on: opened)
      try rowFunction.register(on: opened)
      transaction = try TransactionStatements(on: opened, isReadOnly: isReadOnly)
    } catch {
      let isTruncated = if case .corrupt = error { Connection.isTruncated(opened) } else { false }
      sqlite3_close_v2(opened)
      throw isTruncated ? StoreFile.failure(.truncated, place) : error
    }
    handle = opened
    hasLog = !place.isURI
    cache = StatementCache(on: opened, capacity: configuration.statementCacheCapacity)
  }

  deinit { close() }

  /// Closes the connection; whatever asks for a statement from here on is refused.
  func close() {
    guard transaction != nil else { return }
    if sqlite3_total_changes(handle) >= 1000 && !isInTransaction {
      // Statistics for the query planner, after enough has changed: of a table that is still small they would say that
      // an index is no use. Without them queries are slower and not wrong.
      sqlite3_busy_timeout(handle, 0)
      sqlite3_exec(handle, "PRAGMA analysis_limit=400; PRAGMA optimize", nil, nil, nil)
    }
    transaction = nil
    cache.removeAll()
    // Closing the handle before the last statement is finalized is what close_v2 is for: that one ends it.
    sqlite3_close_v2(handle)
  }

  /// While several connections open a new file at once, the change to a write-ahead log is refused without waiting.
  private static func execute(
    _ sql: String, on database: OpaquePointer, until deadline: ContinuousClock.Instant
  ) throws(PersistenceError) {
    while true {
      do {
        return try execute(sql, on: database)
      } catch {
        guard case .busy = error, ContinuousClock.now < deadline else { throw error }
        pause(database)
      }
    }
  }

  static func execute(_ sql: String, on database: OpaquePointer) throws(PersistenceError) {
    let code = sqlite3_exec(database, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw PersistenceError(DatabaseError(database, fallback: code, sql: sql)) }
  }

  func execute(_ sql: String) throws(PersistenceError) {
    if transaction == nil { throw .closed }
    try Connection.execute(sql, on: handle)
  }

  /// A cached statement; its text is its shape.
  func statement(_ sql: String) throws(PersistenceError) -> Statement {
    if transaction == nil { throw .closed }
    return try cache.statement(sql)
  }

  /// A statement of the caller's own.
  func prepare(_ sql: String) throws(PersistenceError) -> Statement {
    if transaction == nil { throw .closed }
    return try Statement(sql, on: handle)
  }

  var cachedStatements: Int { cache.count }

  var isOpen: Bool { transaction != nil }

  /// Whether a transaction is open, as SQLite sees it: some errors end it by themselves.
  var isInTransaction: Bool { transaction != nil && sqlite3_get_autocommit(handle) == 0 }

  func beginReading() throws(PersistenceError) { try open().begin.run() }

  /// The first one to write gets a larger cache.
  ///
  /// Rows from all over a large file are in neither, and the smaller one stays in the processor's own cache: reading is
  /// up to a tenth quicker. Changes to several indexes need their pages again soon, and find them in the larger one.
  func beginWriting() throws(PersistenceError) {
    try open().beginImmediate.run()
    guard !hasWritten else { return }
    hasWritten = true
    try execute("PRAGMA cache_size=-8000")
  }

  func commit() throws(PersistenceError) { try open().commit.run() }

  /// The code of COMMIT, without making an error of it.
  func runCommit() -> Int32 { transaction?.commit.runForCode() ?? SQLITE_MISUSE }

  /// Ends the transaction, whatever state it is in.
  ///
  /// A rollback can fail only when SQLite has rolled back already, or on a dead file system, where the file is
  /// recovered from its log by the next one who opens it.
  func rollback() {
    if isInTransaction { _ = transaction?.rollback.runForCode() }
  }

  @inline(__always) private func open() throws(PersistenceError) -> TransactionStatements {
    guard let transaction else { throw .closed }
    return transaction
  }
}

/// What begins and ends transactions, prepared once.
private struct TransactionStatements {
  let begin: Statement
  let beginImmediate: Statement
  let commit: Statement
  let rollback: Statement

  /// - Parameter isReadOnly: whether those who want to write may begin all the same. Their first write is refused.
  init(on database: OpaquePointer, isReadOnly: Bool) throws(PersistenceError) {
    begin = try Statement("BEGIN", on: database)
    beginImmediate = try Statement(isReadOnly ? "BEGIN" : "BEGIN IMMEDIATE", on: database)
    commit = try Statement("COMMIT", on: database)
    rollback = try Statement("ROLLBACK", on: database)
  }
}
