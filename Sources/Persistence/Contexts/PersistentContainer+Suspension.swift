extension PersistentContainer {
  /// Closes every connection of this container, so that this process holds no lock on the store's files through it.
  /// ``resume()`` ends the suspension.
  ///
  /// iOS terminates an app that is suspended while it holds a lock on a file in an App Group container. Call this
  /// method when the app enters the background, within a background task that gives it enough time:
  ///
  /// ```swift
  /// await container.suspend()
  /// // The app was in the background.
  /// await container.resume()
  /// ```
  ///
  /// - Closures that are running may finish within `limit`. After that, the statements of closures that are still
  ///   running are interrupted. Such a closure is rolled back, and its call throws ``PersistenceError/suspended``. A
  ///   closure's own code cannot be interrupted: this method waits until it calls the store again, or ends.
  /// - Calls that have not begun, and writers that are waiting for another writer, throw
  ///   ``PersistenceError/suspended``, and so does every later call. Nothing is queued until the store is resumed.
  /// - The view context keeps its objects and its unsaved changes. Relationships that are not in memory appear empty,
  ///   as if the store had failed.
  /// - Live results keep their rows. Backups and other maintenance end with the error.
  ///
  /// All locks are released when this method returns, and cancelling the calling task does not change that. A store
  /// that is already suspended is not affected. Suspending and resuming take effect in the order of the calls. Other
  /// containers of the same file have to be suspended too.
  ///
  /// - Parameter limit: The time that running closures have, as measured by ``StoreConfiguration/pollClock``. The
  ///   default is 2 seconds; iOS gives an app about 5 seconds after it has entered the background.
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

  /// Ends a suspension. Contexts reconnect the next time they are used, and work as before.
  ///
  /// Objects without unsaved changes, ``commits`` and live results catch up with what other processes have committed in
  /// the meantime, with or without ``StoreConfiguration/pollInterval``. Without a history everything may have changed,
  /// so live results and the objects in memory are read again. A container that is not suspended is not affected.
  public func resume() async {
    await store.suspension.inTurn { [store, viewContext] in
      guard let hasMissed = store.suspension.end() else { return }
      await viewContext.resume()
      await store.catchUp(isExact: !hasMissed)
    }
  }
}
