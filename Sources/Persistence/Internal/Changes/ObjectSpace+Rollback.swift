internal import Foundation

extension ObjectSpace {
  /// Gives up all changes that are not saved, those of the closure that is running among them.
  public func rollback() {
    guard isIsolated else { return fail(.wrongContext) }
    unit.failure = nil
    unit.hasGivenUp = true
    rollBack(to: noChanges)
  }

  /// Forgets all objects and all changes, and the commits that could be undone or done again. Objects that are still
  /// held are deleted ones from here on, for this context; the store keeps them.
  public func reset() {
    guard isIsolated else { return fail(.wrongContext) }
    rollback()
    undoHistory.removeAll()
    unloadAllRelationships()
    together.removeAll()
    for table in tables { table.forgetAll() }
  }

  /// Forgets everything and lets go of the store, for good.
  func close() {
    reset()
    plans.removeAll()
    connection.close()
  }

  /// Runs what a context does to its space outside of any closure.
  func whileIsolated(_ body: (ObjectSpace) -> Void) {
    let outer = isolation.pointee.thread
    isolation.pointee.thread = pthread_self()
    defer { isolation.pointee.thread = outer }
    body(self)
  }
}

extension ObjectTable {
  func forgetAll() {
    for object in map.objects() { detach(object) }
  }
}
