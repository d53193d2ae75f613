extension DownloadSession {
  /// Pauses a download and retains the bytes received so far.
  ///
  /// The download stays paused across relaunches. A download that has ended, or whose file is being moved into place,
  /// is not affected.
  ///
  /// - Throws: ``DownloadSessionError/unknownDownload(name:)``, ``DownloadSessionError/storage(_:)``,
  ///   ``DownloadSessionError/suspended`` or ``DownloadSessionError/closed``.
  public func pause(_ name: String) async throws(DownloadSessionError) {
    try core.change(name) { $0.pause($1) }
  }

  /// Continues a download that is paused, has failed, or is waiting to be retried.
  ///
  /// - Throws: ``DownloadSessionError/unknownDownload(name:)``, ``DownloadSessionError/storage(_:)``,
  ///   ``DownloadSessionError/suspended`` or ``DownloadSessionError/closed``.
  public func resume(_ name: String) async throws(DownloadSessionError) {
    try core.change(name) { $0.resume($1) }
  }

  /// Cancels a download that is in progress or paused. The download fails with ``DownloadError/cancelled``, and the
  /// bytes received so far are removed.
  ///
  /// A download that has ended, or whose file is being moved into place, is not affected.
  ///
  /// - Throws: ``DownloadSessionError/unknownDownload(name:)``, ``DownloadSessionError/storage(_:)``,
  ///   ``DownloadSessionError/suspended`` or ``DownloadSessionError/closed``.
  public func cancel(_ name: String) async throws(DownloadSessionError) {
    try core.change(name) { $0.cancel($1) }
  }

  /// Removes a download and its events from the session. If the download has finished, its file is not removed.
  ///
  /// - Throws: ``DownloadSessionError/unknownDownload(name:)``, ``DownloadSessionError/storage(_:)``,
  ///   ``DownloadSessionError/suspended`` or ``DownloadSessionError/closed``.
  public func remove(_ name: String) async throws(DownloadSessionError) {
    try core.change(name) { $0.forget($1) }
  }

  /// Changes the priority of a download that is waiting to start. A download that is already running is not affected.
  ///
  /// - Throws: ``DownloadSessionError/unknownDownload(name:)``, ``DownloadSessionError/storage(_:)``,
  ///   ``DownloadSessionError/suspended`` or ``DownloadSessionError/closed``.
  public func setPriority(_ priority: RequestPriority, of name: String) async throws(DownloadSessionError) {
    try core.change(name) { $0.setPriority(priority, of: $1) }
  }

  /// Changes the maximum number of downloads that run at the same time. Values below 1 are treated as 1. A lower
  /// maximum does not interrupt downloads that are already running.
  public func setMaxConcurrentDownloads(_ limit: Int) async {
    core.change { $0.downloads.setLimit(limit) }
  }

  /// Waits until a download has ended, and returns the downloaded file or the error. This method does not acknowledge
  /// the event of the download.
  ///
  /// - Throws: ``DownloadSessionError/unknownDownload(name:)`` if no download has this name, or if the download is
  ///   removed during the wait; ``DownloadSessionError/closed`` if the session is closed;
  ///   ``DownloadSessionError/cancelled`` if the waiting task is cancelled, which does not affect the download.
  public func result(
    of name: String
  ) async throws(DownloadSessionError) -> Result<DownloadedFile, DownloadError> {
    core.result(of: try await core.outcome(of: name))
  }

  /// Returns an asynchronous stream that reports the progress of a download.
  ///
  /// The stream delivers at most one value per ``Configuration/progressInterval``, and a slow reader receives only the
  /// newest value. The stream finishes when the download ends, or immediately if the download has already ended or does
  /// not exist.
  public func progress(of name: String) -> AsyncStream<DownloadProgress> {
    core.progress(of: name)
  }
}
