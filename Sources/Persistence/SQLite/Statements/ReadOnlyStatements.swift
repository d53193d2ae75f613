internal import CLarderSQLite

/// A statement that can only read.
final class ReadOnlyStatement {
  let statement: Statement
  /// The tables, views and common table expressions that it reads.
  let tables: Set<String>

  fileprivate init(_ statement: Statement, reading tables: Set<String>) {
    self.statement = statement
    self.tables = tables
  }
}

/// Prepares and caches statements that can only read.
final class ReadOnlyStatements {
  private let database: OpaquePointer
  private let capacity: Int
  private let authorizer = ReadAuthorizer()
  private var statements: [String: ReadOnlyStatement] = [:]

  init(on database: OpaquePointer, capacity: Int) {
    self.database = database
    self.capacity = max(1, capacity)
    authorizer.install(on: database)
  }

  /// Returns a statement that no caller is stepping.
  func statement(_ sql: String) throws(PersistenceError) -> ReadOnlyStatement {
    let known = statements[sql]
    if let known, !known.statement.isBusy { return known }
    let statement = try prepare(sql)
    if known == nil {
      if statements.count >= capacity { statements.removeAll() }
      statements[sql] = statement
    }
    return statement
  }

  /// Called before the connection is closed. A statement that is still being stepped may outlive the authorizer.
  func close() {
    statements = [:]
    authorizer.remove(from: database)
  }

  /// What all statements of the connection read, as long as it is noted.
  var noted: Set<ReadColumn>? {
    get { authorizer.noted }
    set { authorizer.noted = newValue }
  }

  private func prepare(_ sql: String) throws(PersistenceError) -> ReadOnlyStatement {
    do {
      return try prepareAuthorized(sql)
    } catch {
      guard case .queryFailed = error else { throw error }
      // A virtual table that is not connected yet connects while the statement is prepared, and the authorizer refuses
      // the statements that this takes.
      connectVirtualTables()
      return try prepareAuthorized(sql)
    }
  }

  private func connectVirtualTables() {
    var names = ["json_each", "json_tree"]
    // If the schema cannot be read, the caller reports it.
    if let tables = try? Statement("SELECT name FROM sqlite_master WHERE type='table' AND rootpage=0", on: database) {
      while (try? tables.step()) == true { names.append(tables.text(0)) }
    }
    for name in names { _ = try? Statement("SELECT 1 FROM \(SQL.identifier(name)) LIMIT 0", on: database) }
  }

  private func prepareAuthorized(_ sql: String) throws(PersistenceError) -> ReadOnlyStatement {
    if sql.utf8.contains(0) { throw .queryFailed(SQLQueryFailure(.invalidSQL, "the text contains a NUL", sql: sql)) }
    var statement: Statement?
    let tables = try authorizer.whilePreparing { () throws(PersistenceError) in
      let text = Array(sql.utf8CString)
      var start = 0
      // Nothing is prepared from spaces and comments.
      while start < text.count - 1 {
        var end = start
        let (prepared, code) = Self.prepare(text, from: start, to: &end, on: database)
        guard code == SQLITE_OK else { throw failure(code, sql, isRest: statement != nil, start) }
        start = max(end, start + 1)
        guard let prepared else { continue }
        guard statement == nil else {
          sqlite3_finalize(prepared)
          throw .queryFailed(SQLQueryFailure(.notOneStatement, "the text contains more than one statement", sql: sql))
        }
        statement = Statement(prepared: prepared, sql: sql)
      }
    }
    guard let statement else {
      throw .queryFailed(SQLQueryFailure(.notOneStatement, "the text contains no statement", sql: sql))
    }
    guard let tables, sqlite3_stmt_readonly(statement.handle) != 0, sqlite3_column_count(statement.handle) > 0 else {
      throw .queryFailed(SQLQueryFailure(.notReadOnly, "only a SELECT statement is possible", sql: sql))
    }
    return ReadOnlyStatement(statement, reading: tables)
  }

  private static func prepare(
    _ text: [CChar], from start: Int, to end: inout Int, on database: OpaquePointer
  ) -> (OpaquePointer?, Int32) {
    text.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return (nil, SQLITE_MISUSE) }
      var (prepared, tail): (OpaquePointer?, UnsafePointer<CChar>?) = (nil, nil)
      let code = sqlite3_prepare_v3(
        database, base + start, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, &tail)
      end = tail.map { $0 - base } ?? buffer.count - 1
      return (prepared, code)
    }
  }

  private func failure(_ code: Int32, _ sql: String, isRest: Bool, _ start: Int) -> PersistenceError {
    let error = DatabaseError(database, fallback: code, sql: sql)
    guard error.isOfStatement else { return PersistenceError(error) }
    if isRest {
      return .queryFailed(
        SQLQueryFailure(.notOneStatement, "the text contains more than one statement", sql: sql, offset: start))
    }
    let offset = Int(larder_error_offset(database))
    let isRefused = error.primaryCode == SQLITE_AUTH
    let message = isRefused ? "only a SELECT statement is possible (\(error.message))" : error.message
    return .queryFailed(
      SQLQueryFailure(
        isRefused ? .notReadOnly : .invalidSQL, message, sql: sql, offset: offset < 0 ? nil : start + offset))
  }

  // Running

  /// Steps through the rows of a statement that is bound.
  func forEachRow(
    of statement: Statement, _ body: () throws -> Void
  ) throws {
    statement.isBusy = true
    defer {
      sqlite3_reset(statement.handle)
      // A large value is not retained by the cache.
      sqlite3_clear_bindings(statement.handle)
      statement.isBusy = false
    }
    while true {
      authorizer.isStepping = true
      let code = sqlite3_step(statement.handle)
      authorizer.isStepping = false
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw Self.failure(of: statement, code) }
      try body()
    }
  }

  func bind(_ arguments: [StoredValue], to statement: Statement) throws(PersistenceError) {
    let failure = { (message: String) in
      PersistenceError.queryFailed(SQLQueryFailure(.invalidArgument, message, sql: statement.sql))
    }
    let count = Int(sqlite3_bind_parameter_count(statement.handle))
    guard count == arguments.count else {
      throw failure("there are \(arguments.count) values for \(count) parameters")
    }
    for (index, argument) in arguments.enumerated() {
      let code = statement.bind(argument, at: Int32(index + 1))
      if code == SQLITE_OK { continue }
      sqlite3_clear_bindings(statement.handle)
      throw failure(
        code == SQLITE_MISMATCH ? "value \(index + 1) cannot be stored" : "value \(index + 1) cannot be bound")
    }
  }

  /// SQLite quotes values in some messages, so only known ones are passed on.
  private static func failure(of statement: Statement, _ code: Int32) -> PersistenceError {
    let error = DatabaseError(sqlite3_db_handle(statement.handle), fallback: code, sql: statement.sql)
    if error.primaryCode == SQLITE_INTERRUPT {
      guard Task.isCancelled else { return .suspended }
      return .queryFailed(SQLQueryFailure(.cancelled, "the task was cancelled", sql: statement.sql))
    }
    guard error.isOfStatement else { return PersistenceError(error) }
    let known = ["malformed JSON", "integer overflow", "string or blob too big"]
    let message = known.contains(error.message) ? error.message : String(cString: sqlite3_errstr(error.primaryCode))
    return .queryFailed(SQLQueryFailure(.failed, message, sql: statement.sql))
  }
}

extension Statement {
  /// The names of the result's columns.
  var columnNames: [String] {
    (0..<sqlite3_column_count(handle)).map { column in
      sqlite3_column_name(handle, column).map { String(cString: $0) } ?? ""
    }
  }
}
