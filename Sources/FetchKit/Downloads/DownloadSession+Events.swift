public import Dispatch

extension DownloadSession {
  /// The ends of downloads, those first that ended while nobody listened: in an earlier program, or before this call.
  ///
  /// An event goes to one listener, be it a reader of this sequence, a callback or the delegate. It is kept on disk
  /// until ``DownloadEvent/done()`` is called.
  public var events: DownloadEvents { DownloadEvents(core: core) }

  /// Hands every end of a download to a callback, in the callback's own isolation, one after the other.
  ///
  /// - Returns: What ends it when it is cancelled. Letting go of it does not.
  @discardableResult
  public func onEvent(
    _ callback: @escaping @isolated(any) @Sendable (DownloadEvent) async -> Void
  ) -> Task<Void, Never> {
    Task { [core] in
      while let event = await core.nextEvent() { await callback(event) }
    }
  }

  /// Tells a delegate about ends and progress from now on, and the one before no longer; nil for none.
  public func setDelegate(_ delegate: (any DownloadSessionDelegate)?) {
    let listening = delegate.map { delegate in
      Task { [core, weak self, weak delegate] in
        while let event = await core.nextEvent() {
          guard let self, let delegate, !Task.isCancelled else { return core.giveBack(event) }
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

  /// Calls the handler once, in its own isolation, when nothing is left to do: no download is under way or waits, and
  /// every event has been acknowledged. Paused and failed downloads are not waited for.
  ///
  /// This is what a program launched for background work owes its system. Nothing is called when the session is closed
  /// before.
  ///
  /// - Returns: Whether the identifier is this session's; otherwise the handler is not kept.
  @discardableResult
  public func handleEvents(
    forSession identifier: String, completionHandler: @escaping @isolated(any) @Sendable () -> Void
  ) -> Bool {
    guard identifier == self.identifier else { return false }
    core.whenIdle { await completionHandler() }
    return true
  }

  /// Calls the handler once, on a queue, when nothing is left to do; see
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
