extension PersistentContainer {
  /// Closes all of this container's connections, so that it holds no locks on the store's files. To end the suspension,
  /// call ``resume()``.
  ///
  /// iOS terminates an app that is suspended while it holds a lock on a file in an App Group container. Call this
  /// method when the app enters the background, within a background task that gives it enough time, and resume when
  /// the app returns:
  ///
  /// ```swift
  /// await container.suspend()
  /// // The app was in the background.
  /// await container.resume()
  /// ```
  ///
  /// - Running closures may finish within `limit`. After that, any statements that they are executing are interrupted.
  ///   An interrupted closure is rolled back, and its call throws ``PersistenceError/suspended``. A closure's own code
  ///   cannot be interrupted, so this method waits until the closure accesses the store again or ends.
  /// - Calls that have not begun, and writers that are waiting for another writer, throw
  ///   ``PersistenceError/suspended``, as does every later call. Calls made during the suspension are not queued.
  /// - The view context keeps its objects and its unsaved changes. Relationships that are not in memory appear empty,
  ///   as if the store had failed.
  /// - Live results keep their rows. Backups and other maintenance tasks fail with ``PersistenceError/suspended``.
  ///
  /// All locks have been released when this method returns, even if the calling task is cancelled. Suspending a
  /// container that is already suspended has no effect. Calls to suspend and resume take effect in the order in which
  /// they are made. Other containers that use the same file must be suspended separately.
  ///
  /// - Parameter limit: How long running closures have to finish, as measured by
  ///   ``StoreConfiguration/pollClock``. The default is 2 seconds; iOS gives an app about 5 seconds after it enters the
  ///   background.
  public func suspend(within limit: Duration = .seconds(2)) async {
    await store.suspension.inTurn { [store, viewContext] in
      let suspension = store.suspension
      guard suspension.begin() else { return }
      let interrupting = Task { [clock = store.configuration.pollClock] in
        try await clock.sleep(for: limit)
        while true {
          suspension.interrupt()
          // A statement that begins after an interrupt runs on.
          try await Task.sleep(for: .milliseconds(5))
        }
      }
      for context in store.contexts.existing { await context.disconnect() }
      await viewContext.disconnect()
      await store.disconnectReader()
      await suspension.allHaveLeft()
      interrupting.cancel()
      _ = await interrupting.result
    }
  }

  /// Ends a suspension. Contexts reconnect the next time they are used and then work as before.
  ///
  /// Objects without unsaved changes, ``commits`` and live results catch up with what other processes have committed in
  /// the meantime, with or without ``StoreConfiguration/pollInterval``. Without a history, there is no record of what
  /// has changed, so live results and the objects in memory are read again. Resuming a container that is not suspended
  /// has no effect.
  public func resume() async {
    await store.suspension.inTurn { [store, viewContext] in
      guard let hasMissed = store.suspension.end() else { return }
      await viewContext.resume()
      await store.catchUp(isExact: !hasMissed)
    }
  }
}
