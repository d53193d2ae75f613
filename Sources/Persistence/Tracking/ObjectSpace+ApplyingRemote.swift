extension ObjectSpace {
  /// Writes rows as they are elsewhere, within `persist` of a context that is used for nothing else.
  ///
  /// The closure's changes are those of objects, so that other contexts receive them, and unique values can move from
  /// one row to another. But they are not recorded as changes made here: triggers add no base, and the commit ties no
  /// rows. Objects are not validated, `didInsert()` is not called, and delete rules are not applied. Changes before
  /// and after the call within the same `persist` are recorded, and those after the last call are validated.
  ///
  /// An error fails the enclosing `persist`, even if it is caught. The schema must track a class.
  package func applyRemote<Result>(_ body: (RemoteWriter) throws -> Result) throws(PersistenceError) -> Result {
    try beginBulk()
    do {
      try connection.statement(BaseTable.beginApplying).run()
      ties?.skipsCommit = true
      let writer = RemoteWriter(self)
      defer { writer.isValid = false }
      let result = try body(writer)
      try throwFailure()
      try writePending(isLast: true)
      let end = try connection.statement(BaseTable.endApplying)
      try end.run()
      guard end.changes == 1 else {
        throw PersistenceError.database(
          DatabaseError(code: 0, message: "the remote rows were rolled back while they were written"))
      }
      unit.validated = ContiguousArray(registries.map(\.changes.mark))
      noteAllMembers()
      unloadAllRelationships()
      return result
    } catch {
      let error = error as? PersistenceError ?? .body(error)
      // Part of it is written.
      fail(error)
      throw error
    }
  }
}
