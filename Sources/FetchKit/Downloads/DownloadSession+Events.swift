public import Dispatch

extension DownloadSession {
  /// The events that report the end of each download, until no download is in progress. Downloads that ended in an
  /// earlier process, or before anything listened to the session's events, are reported first.
  ///
  /// Start the downloads before you read the sequence, which otherwise ends at once. To listen for as long as the
  /// session is open, use ``events(endsWhenIdle:)`` or ``onEvent(_:)``.
  ///
  /// Each event is delivered to only one listener: a reader of this sequence, a callback or the delegate. An event is
  /// stored on disk until ``DownloadEvent/done()`` is called.
  public var events: DownloadEvents { events(endsWhenIdle: true) }

  /// The events that report the end of each download. If `endsWhenIdle` is false, the sequence ends only when the
  /// session is closed or the task is cancelled, so it includes downloads that are started at any later time.
  public func events(endsWhenIdle: Bool) -> DownloadEvents { DownloadEvents(core: core, endsWhenIdle: endsWhenIdle) }

  /// Calls a callback with an event each time a download ends. The callback runs in its own isolation, and each call
  /// begins after the previous call has returned.
  ///
  /// - Returns: A task that can be cancelled to stop the calls. Releasing the task does not stop the calls.
  @discardableResult
  public func onEvent(
    _ callback: @escaping @isolated(any) @Sendable (DownloadEvent) async -> Void
  ) -> Task<Void, Never> {
    Task { [core] in
      while let event = await core.nextEvent(endsWhenIdle: false) { await callback(event) }
    }
  }

  /// Sets the delegate that receives events and progress reports from now on. The new delegate replaces the previous
  /// delegate. Pass nil to remove the current delegate.
  public func setDelegate(_ delegate: (any DownloadSessionDelegate)?) {
    let listening = delegate.map { delegate in
      Task { [core, weak self, weak delegate] in
        while let event = await core.nextEvent(endsWhenIdle: false) {
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
  /// Use this method to give back the time that iOS grants an app in the background: in the handler, call
  /// `setTaskCompleted(success:)` of a `BGProcessingTask`, or `endBackgroundTask(_:)`. If the session is closed first,
  /// the handler is never called.
  ///
  /// The session does not use Apple's background transfers. While the app is suspended, nothing is downloaded. iOS does
  /// not launch the app to continue a download, so downloads continue only when the app runs again.
  ///
  /// - Returns: Whether the identifier belongs to this session. If it does not, the handler is never called.
  @discardableResult
  public func handleEvents(
    forSession identifier: String, completionHandler: @escaping @isolated(any) @Sendable () -> Void
  ) -> Bool {
    guard identifier == self.identifier else { return false }
    core.whenIdle { await completionHandler() }
    return true
  }

  /// Calls the handler once, on the given queue, when no download is running or waiting and every event has been
  /// acknowledged. See ``handleEvents(forSession:completionHandler:)``.
  @discardableResult
  public func handleEvents(
    forSession identifier: String, on queue: DispatchQueue, completionHandler: @escaping @Sendable () -> Void
  ) -> Bool {
    guard identifier == self.identifier else { return false }
    core.whenIdle { queue.async(execute: completionHandler) }
    return true
  }
}
