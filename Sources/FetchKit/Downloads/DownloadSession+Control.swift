extension DownloadSession {
  /// Pauses a download and retains the bytes received so far.
  ///
  /// The download stays paused across relaunches. A download that has ended, or whose file is being moved into place,
  /// is not affected.
  ///
  /// - Throws: ``DownloadSessionError/unknownDownload(name:)``, ``DownloadSessionError/storage(_:)`` or
  ///   ``DownloadSessionError/closed``.
  public func pause(_ name: String) async throws(DownloadSessionError) {
    try core.change(name) { $0.pause($1) }
  }

  /// Continues a download that is paused, is waiting to be retried, or has failed.
  ///
  /// - Throws: ``DownloadSessionError/unknownDownload(name:)``, ``DownloadSessionError/storage(_:)`` or
  ///   ``DownloadSessionError/closed``.
  public func resume(_ name: String) async throws(DownloadSessionError) {
    try core.change(name) { $0.resume($1) }
  }

  /// Cancels a download that is in progress or paused. The download fails with ``DownloadError/cancelled``, and the
  /// bytes received so far are removed.
  ///
  /// A download that has ended, or whose file is being moved into place, is not affected.
  ///
  /// - Throws: ``DownloadSessionError/unknownDownload(name:)``, ``DownloadSessionError/storage(_:)`` or
  ///   ``DownloadSessionError/closed``.
  public func cancel(_ name: String) async throws(DownloadSessionError) {
    try core.change(name) { $0.cancel($1) }
  }

  /// Removes every record of a download, including its events. A complete file is not removed.
  ///
  /// - Throws: ``DownloadSessionError/unknownDownload(name:)``, ``DownloadSessionError/storage(_:)`` or
  ///   ``DownloadSessionError/closed``.
  public func remove(_ name: String) async throws(DownloadSessionError) {
    try core.change(name) { $0.forget($1) }
  }

  /// Changes the priority of a download that is waiting for a slot. Running downloads are not affected.
  ///
  /// - Throws: ``DownloadSessionError/unknownDownload(name:)``, ``DownloadSessionError/storage(_:)`` or
  ///   ``DownloadSessionError/closed``.
  public func setPriority(_ priority: RequestPriority, of name: String) async throws(DownloadSessionError) {
    try core.change(name) { $0.setPriority(priority, of: $1) }
  }

  /// Changes the maximum number of downloads that run at the same time. Values below 1 count as 1. Running downloads
  /// continue.
  public func setMaxConcurrentDownloads(_ limit: Int) async {
    core.setLimit(limit)
  }

  /// Waits until a download has ended and returns its result. This call does not acknowledge the event.
  ///
  /// - Throws: ``DownloadSessionError/unknownDownload(name:)`` if no download has this name, or if the download is
  ///   removed during the wait; ``DownloadSessionError/closed`` if the session is closed;
  ///   ``DownloadSessionError/cancelled`` if the waiting task is cancelled, which does not affect the download.
  public func result(
    of name: String
  ) async throws(DownloadSessionError) -> Result<DownloadedFile, DownloadError> {
    switch try await core.outcome(of: name) {
    case .failed(let failure): .failure(failure)
    case .finished(let path, let length, let suggested):
      .success(DownloadedFile(url: core.files.url(stored: path), byteCount: length, suggestedFileName: suggested))
    }
  }

  /// Returns the progress of a download as a stream.
  ///
  /// The stream delivers only the newest value, at most once per ``Configuration/progressInterval``. It finishes when
  /// the download ends, or immediately if the download has already ended or does not exist.
  public func progress(of name: String) -> AsyncStream<DownloadProgress> {
    core.progress(of: name)
  }
}
