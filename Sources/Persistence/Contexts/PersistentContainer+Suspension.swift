extension PersistentContainer {
  /// Suspends this container by closing all of its connections, so that it holds no locks on the store's files. To end
  /// the suspension, call ``resume()``.
  ///
  /// iOS terminates an app that is suspended while it holds a lock on a file in an App Group container. When the app
  /// enters the background, call this method in a background task, so that the method has enough time to finish. When
  /// the app returns to the foreground, resume the container:
  ///
  /// ```swift
  /// await container.suspend()
  /// // The app was in the background.
  /// await container.resume()
  /// ```
  ///
  /// - Closures that are running can continue for at most `limit`. After that time, the statements that they are
  ///   executing are interrupted. The changes made in an interrupted closure are rolled back, and the call that runs
  ///   the closure throws ``PersistenceError/suspended``. A closure cannot be interrupted between its accesses to the
  ///   store, so this method waits until the closure accesses the store again or ends.
  /// - Calls that are waiting to begin or to write, and all calls made during the suspension, throw
  ///   ``PersistenceError/suspended``. Calls that throw this error are not repeated when the container resumes.
  /// - The view context keeps its objects and its unsaved changes. If the members of a relationship are not in memory,
  ///   the relationship appears empty, as it does when the store cannot be read, and edits that depend on its members
  ///   are rejected with ``PersistenceError/unreadRelationship(_:)``.
  /// - Live results keep their rows. Backups and other maintenance tasks fail with ``PersistenceError/suspended``.
  ///
  /// All locks have been released when this method returns, even if the calling task is cancelled. Suspending a
  /// container that is already suspended has no effect. Calls to suspend and resume take effect in the order in which
  /// they are made. Other containers that use the same file must be suspended separately.
  ///
  /// - Parameter limit: The time that running closures have to finish, measured by ``StoreConfiguration/pollClock``.
  ///   The default is 2 seconds. For comparison, iOS gives an app about 5 seconds after the app enters the background.
  public func suspend(within limit: Duration = .seconds(2)) async {
    await store.access.suspension.inTurn { [store, viewContext] in
      let suspension = store.access.suspension
      guard suspension.begin() else { return }
      let interrupting = Task { [clock = store.access.configuration.pollClock] in
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
  /// ``commits``, live results, and objects without unsaved changes receive the changes that other processes committed
  /// during the suspension, even if ``StoreConfiguration/pollInterval`` is not set. It is not known which objects have
  /// changed, so live results and the objects in memory are read again. Resuming a container that is not suspended has
  /// no effect.
  public func resume() async {
    await store.access.suspension.inTurn { [store, viewContext] in
      guard store.access.suspension.end() else { return }
      await viewContext.resume()
      await store.catchUp()
    }
  }
}
