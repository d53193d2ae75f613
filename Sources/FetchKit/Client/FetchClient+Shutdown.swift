extension FetchClient {
  /// Cancels all fetches and streams of this client that are in progress, for example when a user logs out.
  ///
  /// They end with ``FetchError/cancelled(_:)``, whether they wait for their turn, for the server, for an
  /// ``Interceptor`` or for the next attempt, or are being read. The tasks that wait for them are not cancelled.
  /// Fetches that begin later are not affected, and neither are the downloads of a ``DownloadSession``.
  ///
  /// - Returns: The number of fetches and streams that were cancelled.
  @discardableResult
  public func cancelAll() -> Int { pipeline.open.cancelAll() }

  /// Accepts no further fetches, waits for those that are in progress, and cancels the ones that take longer.
  ///
  /// ```swift
  /// let cancelled = await client.shutdown(within: .seconds(20))
  /// if cancelled > 0 { print("\(cancelled) requests did not end in time") }
  /// ```
  ///
  /// A fetch that begins afterward fails with ``FetchError/shutDown(_:)``. Fetches in progress can still be redirected
  /// and repeated. When the time has passed, or when the calling task is cancelled, the remaining fetches and streams
  /// are cancelled as by ``cancelAll()``, and the method returns without waiting for code that they call. A stream is
  /// in progress until its end has been read or it has been released. The background refresh of a stored response
  /// counts too.
  ///
  /// A request that an ``Interceptor`` or an ``Authenticator`` makes with this client is a fetch that begins afterward;
  /// give them a client of their own. The downloads of a ``DownloadSession`` go on; see ``DownloadSession/close()``.
  ///
  /// The transport's connections are closed when nothing refers to the transport any more. Other clients can share it.
  ///
  /// - Parameter limit: The time to wait, measured by the client's clock.
  /// - Returns: The number of fetches and streams that were cancelled.
  @discardableResult
  public func shutdown(within limit: Duration) async -> Int {
    let open = pipeline.open
    open.close()
    let end = Task { [time = pipeline.time] in
      try? await time.sleep(limit)
      return open.cancelAll()
    }
    await withTaskCancellationHandler {
      await open.drained()
    } onCancel: {
      end.cancel()
    }
    end.cancel()
    return await end.value
  }
}
