extension DownloadSession {
  /// Stops all downloads until ``resume()`` is called, and releases the session's lock.
  ///
  /// iOS terminates an app that is suspended while it holds a lock on a file in an App Group container. Therefore, call
  /// this method when the app enters the background. Begin a background task first, so that the method has enough time
  /// to finish.
  ///
  /// - Requests in flight are stopped, and the bytes received so far are synced to disk. If a download is being
  ///   verified or moved into place, that step is either completed first or repeated after ``resume()``. A download
  ///   that is waiting to be retried is retried without further delay after ``resume()``.
  /// - ``tasks()``, ``task(named:)`` and ``events`` can still be used, and events can be acknowledged. An
  ///   acknowledgement is not written to the journal until ``resume()`` is called, so the event is delivered again if
  ///   the process is terminated first.
  /// - Calls to ``result(of:)`` and streams of progress continue to wait. Every other throwing method throws
  ///   ``DownloadSessionError/suspended``.
  ///
  /// When this method returns, another process can open the session, even if the calling task was cancelled. This
  /// method has no effect if the session is already suspended or closed. Calls to `suspend()` and `resume()` take
  /// effect in the order in which they are made. If the session's own provider calls this method, the method returns
  /// immediately, because the session cannot be suspended until the provider has returned.
  public func suspend() async {
    await core.suspend()
  }

  /// Ends the suspension that ``suspend()`` began. The session acquires its lock again, reads its journal, and
  /// continues its downloads.
  ///
  /// If the server sent a strong validator, requests are sent again with `Range` and `If-Range`, so that bytes received
  /// before the suspension are not downloaded again. The duration of the suspension does not count toward any timeout.
  /// Attempts made before the suspension still count toward the limit of the retry policy. If another process has used
  /// the session in the meantime, this session takes over that process's downloads and unacknowledged events. This
  /// method has no effect if the session is not suspended.
  ///
  /// - Throws: ``DownloadSessionError/newerJournal(version:)``, ``DownloadSessionError/storage(_:)``,
  ///   ``DownloadSessionError/closed``, or ``DownloadSessionError/inUse(holder:)`` if another process has opened the
  ///   session. After any of these errors except ``DownloadSessionError/closed``, the session stays suspended, and you
  ///   can call this method again. If the session's own provider calls this method during a suspension, the method
  ///   throws ``DownloadSessionError/suspended``.
  public func resume() async throws(DownloadSessionError) {
    try await core.resume()
  }
}
