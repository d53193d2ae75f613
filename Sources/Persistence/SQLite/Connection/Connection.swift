internal import CLarderSQLite
internal import Foundation

/// A SQLite connection without SQLite's mutexes. Its owner uses it from one thread at a time.
final class Connection {
  /// Only for the extensions in this folder.
  let handle: OpaquePointer
  private let cache: StatementCache
  private var readOnly: ReadOnlyStatements?
  /// The checkpointer that is notified of commits.
  var checkpointer: Checkpointer?
  let place: StorePlace
  /// Whether commits go through a write-ahead log.
  var hasLog: Bool { !place.isURI }
  /// The log, if the connection belongs to an open container.
  let log: OpenFile?
  private let pageCacheKilobytes: Int
  private let statementCapacity: Int
  /// nil once the connection is closed.
  private var transaction: TransactionStatements?
  private var hasWritten = false
  /// The number of commits of others when the last write transaction of this connection began.
  private(set) var lastVersion: Int64?
  /// The number of rollbacks, which also undo changes of temporary tables.
  private(set) var rollbacks = 0
  let suspension: StoreSuspension?
  private let member: Int?
  let busyWait: BusyWait

  /// - Parameter isNew: Whether to create the file if there is none. Otherwise a file that was moved away would be
  ///   replaced with an empty one, next to which SQLite discards the log.
  init(
    _ place: StorePlace, _ configuration: StoreConfiguration, isNew: Bool = false
  ) throws(PersistenceError) {
    let (isReadOnly, isImmutable) = (configuration.isReadOnly, configuration.isImmutable)
    var flags =
      (isImmutable ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE)
      | ((isNew || place.isURI) && !isReadOnly ? SQLITE_OPEN_CREATE : 0)
      | (place.isURI || isImmutable ? SQLITE_OPEN_URI : 0)
    #if canImport(Darwin)
    flags |= configuration.protectionFlags
    #endif
    let name = isImmutable ? place.immutableName : place.name
    suspension = configuration.suspension
    let opened: OpaquePointer
    (opened, member) = try Connection.enter(place, configuration, as: name, flags)
    busyWait = BusyWait(on: opened, atMost: configuration.busyMilliseconds, suspension)
    do {
      sqlite3_extended_result_codes(opened, 1)
      let deadline = ContinuousClock.now + configuration.busyTimeout
      try Connection.checkOwner(of: opened, place)
      for pragma in configuration.pragmas(inMemory: place.isURI) {
        try Connection.execute(pragma, on: opened, until: deadline)
      }
      try TextFunction.register(on: opened)
      try FieldFunction.register(on: opened)
      try SumFunction.register(on: opened)
      try DecimalFunction.register(on: opened)
      try DecimalSumFunction.register(on: opened)
      transaction = try TransactionStatements(on: opened, isReadOnly: isReadOnly)
    } catch {
      let isTruncated = if case .corrupt = error { Connection.isTruncated(opened) } else { false }
      sqlite3_close_v2(opened)
      let isRefused = if case .busy = error { suspension?.isRefusing == true } else { false }
      if let member { suspension?.leave(member) }
      if isRefused { throw .suspended }
      throw isTruncated ? StoreFile.failure(.truncated, place) : error
    }
    handle = opened
    self.place = place
    log = member == nil || place.isURI ? nil : Connection.log(of: opened)
    pageCacheKilobytes = configuration.pageCacheKilobytes
    statementCapacity = configuration.statementCacheCapacity
    cache = StatementCache(on: opened, capacity: statementCapacity)
    if let member {
      let interrupt = Interrupt(handle: opened)
      suspension?.opened(member, log) { interrupt.run() }
    }
  }

  deinit { close() }

  /// Closes the connection. Later requests for statements throw ``PersistenceError/closed``.
  func close() {
    guard transaction != nil else { return }
    if let member { suspension?.willClose(member) }
    defer { if let member { suspension?.leave(member) } }
    if hasWritten && sqlite3_total_changes(handle) >= 1000 && !isInTransaction && suspension?.isRefusing != true
      && isInPlace
    {
      // Update the query planner's statistics, but only after enough changes: for a table that is still small they
      // would say that an index is of no use. Without them queries are slower but not wrong.
      busyWait.limit = 0
      let optimization = "PRAGMA optimize; \(StoreFormat.countCommit)"
      sqlite3_exec(handle, "PRAGMA analysis_limit=400; BEGIN IMMEDIATE; \(optimization); COMMIT", nil, nil, nil)
      rollback()
    }
    separateFromReplacement()
    transaction = nil
    cache.removeAll()
    readOnly?.close()
    // A statement that outlives the connection must not call the handler.
    sqlite3_busy_handler(handle, nil, nil)
    // close_v2 allows closing the handle before the last statement is finalized. That statement then ends it.
    sqlite3_close_v2(handle)
  }

  /// When several connections open a new file simultaneously, SQLite refuses the change to a write-ahead log without
  /// waiting.
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

  /// Returns a cached statement, looked up by its text.
  func statement(_ sql: String) throws(PersistenceError) -> Statement {
    if transaction == nil { throw .closed }
    return try cache.statement(sql)
  }

  /// Prepares a statement that only the caller uses.
  func prepare(_ sql: String) throws(PersistenceError) -> Statement {
    if transaction == nil { throw .closed }
    return try Statement(sql, on: handle)
  }

  /// Prepares and runs the statements of ``SQLQuery``. SQLite prepares all others again after the first call.
  func readOnlyStatements() throws(PersistenceError) -> ReadOnlyStatements {
    if transaction == nil { throw .closed }
    if let readOnly { return readOnly }
    let statements = ReadOnlyStatements(on: handle, capacity: statementCapacity)
    readOnly = statements
    return statements
  }

  var cachedStatements: Int { cache.count }

  var isOpen: Bool { transaction != nil }

  /// Whether a transaction is open, as reported by SQLite: some errors end it.
  var isInTransaction: Bool { transaction != nil && sqlite3_get_autocommit(handle) == 0 }

  func beginReading() throws(PersistenceError) { try open().begin.run() }

  /// Begins a write transaction. The first one gives the connection a larger cache.
  ///
  /// Rows scattered over a large file are in neither cache, and the smaller one fits the processor's cache, which makes
  /// reading up to a tenth faster. Changes to several indexes soon need their pages again, and find them in the larger
  /// cache.
  func beginWriting() throws(PersistenceError) {
    do throws(PersistenceError) { try open().beginImmediate.run() } catch { throw orSuspended(error) }
    guard isInPlace else {
      rollback()
      throw StoreFile.failure(.moved, place)
    }
    lastVersion = try foreignDataVersion()
    guard !hasWritten else { return }
    hasWritten = true
    try execute("PRAGMA cache_size=-\(pageCacheKilobytes)")
  }

  /// The error of a call that waits for others, which a suspension ends.
  func orSuspended(_ error: PersistenceError) -> PersistenceError {
    guard case .busy = error, suspension?.isRefusing == true else { return error }
    return .suspended
  }

  /// Runs the closure, in which locks that others hold throw ``PersistenceError/busy(_:)`` at once.
  func withoutWaiting(_ body: () throws(PersistenceError) -> Void) throws(PersistenceError) {
    let limit = busyWait.limit
    busyWait.limit = 0
    defer { busyWait.limit = limit }
    try body()
  }

  /// Runs COMMIT and returns its result code instead of throwing.
  func runCommit() -> Int32 { transaction?.commit.runForCode() ?? SQLITE_MISUSE }

  /// Ends the transaction, whatever state it is in.
  ///
  /// A rollback fails only if SQLite has already rolled back, or on a failed file system. In the second case, the next
  /// process that opens the file recovers it from its log.
  func rollback() {
    rollbacks += 1
    if isInTransaction { _ = transaction?.rollback.runForCode() }
  }

  @inline(__always) private func open() throws(PersistenceError) -> TransactionStatements {
    guard let transaction else { throw .closed }
    return transaction
  }
}

/// `@unchecked Sendable`: SQLite allows this one call from any thread, as long as the connection is open. The store's
/// suspension does not call it after ``StoreSuspension/willClose(_:)``.
private struct Interrupt: @unchecked Sendable {
  let handle: OpaquePointer

  func run() { sqlite3_interrupt(handle) }
}

/// The statements that begin and end transactions, prepared once.
private struct TransactionStatements {
  let begin: Statement
  let beginImmediate: Statement
  let commit: Statement
  let rollback: Statement

  /// - Parameter isReadOnly: Whether the store is read-only. A write transaction can begin even so; its first write is
  ///   rejected.
  init(on database: OpaquePointer, isReadOnly: Bool) throws(PersistenceError) {
    begin = try Statement("BEGIN", on: database)
    beginImmediate = try Statement(isReadOnly ? "BEGIN" : "BEGIN IMMEDIATE", on: database)
    commit = try Statement("COMMIT", on: database)
    rollback = try Statement("ROLLBACK", on: database)
  }
}
