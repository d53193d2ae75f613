extension ObjectContext {
  /// Whether anything is pending that a `perform` has changed.
  public var hasChanges: Bool { space?.hasChanges ?? false }

  /// Gives up what a `perform` has changed: objects are as they were, inserted ones gone and deleted ones back.
  public func rollback() { space?.whileIsolated { $0.rollback() } }

  /// Forgets all objects and all changes, and the commits that could be undone or done again, and lets go of the
  /// connection to the store.
  public func reset() {
    space?.whileIsolated { $0.reset() }
    space = nil
  }
}
