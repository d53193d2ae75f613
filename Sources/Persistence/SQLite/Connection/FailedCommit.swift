internal import CLarderSQLite

/// A COMMIT that failed.
struct FailedCommit {
  let error: DatabaseError
  /// Whether it has certainly not taken effect, and will not after any crash.
  let isRolledBack: Bool

  /// The error to throw to the caller that requested the commit.
  var cause: PersistenceError { isRolledBack ? PersistenceError(error) : .indeterminate(error) }
}

extension Connection {
  /// Commits a transaction. Returns nil, or what went wrong. The caller ends the transaction.
  ///
  /// After most errors SQLite has rolled back. But if the commit is complete in the log anyway, for example because
  /// only the sync failed, it reappears when the log is recovered after a crash.
  func commitForError() -> FailedCommit? {
    let isWriting = isOpen && sqlite3_txn_state(handle, "main") == SQLITE_TXN_WRITE
    let code = runCommit()
    guard code != SQLITE_OK && code != SQLITE_DONE else {
      if !isWriting || isInPlace { return nil }
      // The extended code for a file that was moved is a macro that Swift cannot import.
      let message = "the file or its log was moved, deleted or replaced during the commit"
      return FailedCommit(error: DatabaseError(code: SQLITE_READONLY | 4 << 8, message: message), isRolledBack: false)
    }
    let error =
      isOpen
      ? DatabaseError(handle, fallback: code, sql: "COMMIT")
      : DatabaseError(code: code, message: "the connection is closed")
    return FailedCommit(error: error, isRolledBack: isInTransaction || !mayComeBack())
  }

  /// Runs the closure in a write transaction and commits that. After an error, nothing is written.
  func writing<Result>(_ body: () throws(PersistenceError) -> Result) throws(PersistenceError) -> Result {
    try beginWriting()
    return try committing(body)
  }

  /// Runs the closure in a write transaction that has begun, and commits that.
  func committing<Result>(_ body: () throws(PersistenceError) -> Result) throws(PersistenceError) -> Result {
    do throws(PersistenceError) {
      let result = try body()
      if let failure = commitForError() { throw failure.cause }
      return result
    } catch {
      rollback()
      throw error
    }
  }

  /// Whether the log holds a commit after the last valid one, or cannot be read.
  private func mayComeBack() -> Bool {
    guard isOpen, hasLog else { return false }
    // The next reader recovers a torn header, along with everything that the log holds.
    guard LogIndex(of: handle) != nil else { return true }
    do {
      // From now on no one appends to the log. Anything that others appended earlier has overwritten the remains.
      try beginWriting()
    } catch {
      return true
    }
    defer { rollback() }
    guard let index = LogIndex(of: handle), let log = LogFile(of: handle) else { return true }
    return log.hasCommit(behind: index) ?? true
  }
}
