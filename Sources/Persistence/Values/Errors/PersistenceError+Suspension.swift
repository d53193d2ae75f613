extension PersistenceError {
  /// Throws if no new work may begin.
  static func checkRunning(_ suspension: StoreSuspension) throws(PersistenceError) {
    if suspension.isRefusing { throw .suspended }
  }

  /// Throws if running work may not go on.
  static func checkWithinLimit(_ suspension: StoreSuspension) throws(PersistenceError) {
    if suspension.isInterrupting { throw .suspended }
  }

  /// Returns the number of a connection that is about to be opened.
  static func enter(_ suspension: StoreSuspension) throws(PersistenceError) -> Int {
    guard let member = suspension.admit() else { throw .suspended }
    return member
  }
}
