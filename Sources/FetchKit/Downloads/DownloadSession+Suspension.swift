extension DownloadSession {
  /// Stops all downloads until ``resume()`` is called, and releases the session's lock.
  ///
  /// iOS terminates an app that is suspended while it holds a lock on a file in an App Group container. Call this
  /// method when the app enters the background, within a background task that gives it enough time to finish.
  ///
  /// - Requests in flight are stopped, and the bytes received so far are synced to disk. A download that is being
  ///   verified or moved into place completes that step, or repeats it after ``resume()``. A delay before the next
  ///   attempt is cut short.
  /// - ``tasks()``, ``task(named:)``, ``events`` and acknowledgements work with the state in memory. An acknowledgement
  ///   is recorded by ``resume()``, so the event is delivered again if the process ends before then.
  /// - Callers of ``result(of:)`` and readers of progress continue to wait. Every other throwing method throws
  ///   ``DownloadSessionError/suspended``.
  ///
  /// When this method returns, another process can open the session, even if the calling task was cancelled. This
  /// method has no effect if the session is already suspended or closed. Calls to `suspend()` and `resume()` take
  /// effect in order. If the session's own provider calls this method, it returns immediately.
  public func suspend() async {
    await core.suspend()
  }

  /// Ends a suspension. The session acquires its lock again, reads its journal, and continues each download where it
  /// stopped.
  ///
  /// Requests are sent again with `Range` and `If-Range`. The time spent suspended does not count toward any timeout,
  /// and attempts made before the suspension still count. If another process has used the session in the meantime, this
  /// session adopts that process's downloads and events. A session that is not suspended is not affected.
  ///
  /// - Throws: ``DownloadSessionError/inUse(holder:)`` if another process has opened the session,
  ///   ``DownloadSessionError/newerJournal(version:)``, ``DownloadSessionError/storage(_:)`` or
  ///   ``DownloadSessionError/closed``. After any of these errors except the last, the session stays suspended, and
  ///   this method can be called again. A call from the session's own provider throws
  ///   ``DownloadSessionError/suspended``.
  public func resume() async throws(DownloadSessionError) {
    try await core.resume()
  }
}
