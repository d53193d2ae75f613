internal import Foundation

extension ObjectSpace {
  /// Discards all unsaved changes, including the changes made by the closure that is running.
  public func rollback() {
    guard isIsolated else { return fail(.wrongContext) }
    discardChanges()
    observed?.notify()
  }

  private func discardChanges() {
    unit.failure = nil
    unit.hasGivenUp = true
    rollBack(to: noChanges)
  }

  /// Removes all objects from this context and discards all unsaved changes. Afterward, earlier commits can no longer
  /// be undone or redone.
  ///
  /// Objects that are still referenced are treated as deleted in this context, but they remain in the store.
  public func reset() {
    guard isIsolated else { return fail(.wrongContext) }
    // All objects leave this context, so that none has to be read again.
    for registry in registries { registry.changes.missed.removeAll() }
    discardChanges()
    for observer in saveObservers { observer.reset() }
    unloadAllRelationships()
    together.removeAll()
    for registry in registries { registry.forgetAll() }
    observed?.release()
    observed?.notify()
  }

  /// Relationships that were read during a suspension appeared empty, and are read again.
  func forgetSuspension() {
    if case .suspended = unit.readFailure { unit.readFailure = nil }
    noteEverything()
    observed?.notify()
  }

  /// Discards everything and closes the connection permanently.
  func close() {
    reset()
    plans.removeAll()
    connection.close()
  }

  /// Runs an operation that a context performs on its space outside any closure.
  func whileIsolated(_ body: (ObjectSpace) -> Void) {
    let outer = isolation.pointee.thread
    isolation.pointee.thread = pthread_self()
    defer { isolation.pointee.thread = outer }
    body(self)
  }
}

extension EntityRegistry {
  func forgetAll() {
    for object in map.objects() { detach(object) }
  }
}
