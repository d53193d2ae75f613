extension ObjectContext {
  /// Whether changes made in a `perform` closure are pending.
  public var hasChanges: Bool { space?.hasChanges ?? false }

  /// Discards the pending changes made in `perform` closures. Objects return to their previous state, or to what others
  /// have committed since: inserted objects are removed, and deleted objects are restored.
  public func rollback() { space?.whileIsolated { $0.rollback() } }

  /// Does what ``ObjectSpace/reset()`` does, and closes the context's connection to the store.
  public func reset() {
    space?.whileIsolated { $0.reset() }
    space = nil
  }
}
