internal import CSQLite

/// A COMMIT that failed.
struct FailedCommit {
  let error: DatabaseError
  /// Whether it has certainly not taken effect, now and after whatever crash.
  let isRolledBack: Bool

  /// The error for whoever asked for the commit.
  var cause: PersistenceError { isRolledBack ? PersistenceError(error) : .indeterminate(error) }
}

extension Connection {
  /// The commit of a writer: nil, or what went wrong. The transaction is ended by the caller.
  ///
  /// After most errors SQLite has rolled back. But if the commit is whole in the log all the same, as when only the
  /// synchronisation failed, it comes back when the log is recovered after a crash.
  func commitForError() -> FailedCommit? {
    let code = runCommit()
    guard code != SQLITE_OK && code != SQLITE_DONE else { return nil }
    let error =
      isOpen
      ? DatabaseError(handle, fallback: code, sql: "COMMIT")
      : DatabaseError(code: code, message: "the connection is closed")
    return FailedCommit(error: error, isRolledBack: isInTransaction || !mayComeBack())
  }

  /// Whether the log holds a commit behind the last one that counts, or cannot be looked at.
  private func mayComeBack() -> Bool {
    guard isOpen, hasLog else { return false }
    // A header that is torn is recovered by whoever reads next, with all that the log holds.
    guard LogIndex(of: handle) != nil else { return true }
    do {
      // From here on nobody adds to the log. What others have added before has taken the place of what was left.
      try beginWriting()
    } catch {
      return true
    }
    defer { rollback() }
    guard let index = LogIndex(of: handle), let log = LogFile(of: handle) else { return true }
    return log.hasCommit(behind: index) ?? true
  }
}
