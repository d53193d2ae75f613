public import Dispatch

extension DownloadSession {
  /// The events that report the end of each download. Downloads that ended while there was no listener, whether in an
  /// earlier process or before this call, are reported first.
  ///
  /// Each event is delivered to only one listener: a reader of this sequence, a callback or the delegate. An event is
  /// stored on disk until ``DownloadEvent/done()`` is called.
  public var events: DownloadEvents { DownloadEvents(core: core) }

  /// Calls a callback with an event each time a download ends. The calls are made one at a time, in the callback's own
  /// isolation.
  ///
  /// - Returns: A task that can be cancelled to stop the calls. Releasing the task does not stop them.
  @discardableResult
  public func onEvent(
    _ callback: @escaping @isolated(any) @Sendable (DownloadEvent) async -> Void
  ) -> Task<Void, Never> {
    Task { [core] in
      while let event = await core.nextEvent() { await callback(event) }
    }
  }

  /// Sets the delegate that receives events and progress reports from now on. The new delegate replaces the previous
  /// one. Pass nil to remove the delegate.
  public func setDelegate(_ delegate: (any DownloadSessionDelegate)?) {
    let listening = delegate.map { delegate in
      Task { [core, weak self, weak delegate] in
        while let event = await core.nextEvent() {
          guard let self, let delegate, !Task.isCancelled else { return core.putBack(event) }
          await delegate.downloadSession(self, didEnd: event)
        }
      }
    }
    core.hub.observe { [weak self, weak delegate] progress in
      guard let self, let delegate else { return }
      delegate.downloadSession(self, didProgress: progress)
    }
    let before = delegateTask.withLock { task in
      defer { task = listening }
      return task
    }
    before?.cancel()
  }

  /// Calls the handler once, in its own isolation, when no download is running or waiting and every event has been
  /// acknowledged. Paused and failed downloads do not delay the call.
  ///
  /// Use this method to call the completion handler that the system passes to an app launched for background work. The
  /// handler is not called if the session is closed first.
  ///
  /// The session does not use Apple's background transfers. While the app is suspended, nothing is downloaded, and iOS
  /// never launches the app because of this session. Downloads continue when the app runs again.
  ///
  /// - Returns: True if the identifier is this session's. Otherwise, the handler is discarded.
  @discardableResult
  public func handleEvents(
    forSession identifier: String, completionHandler: @escaping @isolated(any) @Sendable () -> Void
  ) -> Bool {
    guard identifier == self.identifier else { return false }
    core.whenIdle { await completionHandler() }
    return true
  }

  /// Calls the handler once, on the given queue, when all work is done. See
  /// ``handleEvents(forSession:completionHandler:)``.
  @discardableResult
  public func handleEvents(
    forSession identifier: String, on queue: DispatchQueue, completionHandler: @escaping @Sendable () -> Void
  ) -> Bool {
    guard identifier == self.identifier else { return false }
    core.whenIdle { queue.async(execute: completionHandler) }
    return true
  }
}
