extension DownloadSession {
  /// Stops a download and keeps what was received. It stays paused over a relaunch. One that has ended, or is being
  /// moved into place, is left alone.
  ///
  /// - Throws: ``DownloadError/unknownDownload(name:)``, ``DownloadError/storage(_:)``, ``DownloadError/closed``.
  public func pause(_ name: String) async throws(DownloadError) {
    try core.change(name) { $0.pause($1) }
  }

  /// Goes on with a download that is paused, waits to be retried, or has failed.
  ///
  /// - Throws: ``DownloadError/unknownDownload(name:)``, ``DownloadError/storage(_:)``, ``DownloadError/closed``.
  public func resume(_ name: String) async throws(DownloadError) {
    try core.change(name) { $0.resume($1) }
  }

  /// Ends a download that is under way or paused: it fails with ``DownloadFailure/cancelled``, and what was received is
  /// removed. One that has ended, or is being moved into place, is left alone.
  ///
  /// - Throws: ``DownloadError/unknownDownload(name:)``, ``DownloadError/storage(_:)``, ``DownloadError/closed``.
  public func cancel(_ name: String) async throws(DownloadError) {
    try core.change(name) { $0.cancel($1) }
  }

  /// Removes a download as if it had never been, its events included. A file that is complete stays where it is.
  ///
  /// - Throws: ``DownloadError/unknownDownload(name:)``, ``DownloadError/storage(_:)``, ``DownloadError/closed``.
  public func forget(_ name: String) async throws(DownloadError) {
    try core.change(name) { $0.forget($1) }
  }

  /// Changes who goes first when downloads wait for their turn; those that run go on.
  ///
  /// - Throws: ``DownloadError/unknownDownload(name:)``, ``DownloadError/storage(_:)``, ``DownloadError/closed``.
  public func setPriority(_ priority: RequestPriority, of name: String) async throws(DownloadError) {
    try core.change(name) { $0.setPriority(priority, of: $1) }
  }

  /// Changes how many downloads run at a time, at least one. Those that run go on.
  public func setLimit(_ limit: Int) async {
    core.setLimit(limit)
  }

  /// Waits until a download has ended, and says how. It does not acknowledge the event.
  ///
  /// - Throws: ``DownloadError/unknownDownload(name:)`` where there is none of that name, or it is forgotten meanwhile;
  ///   ``DownloadError/closed``; ``DownloadError/cancelled`` where the task that waits is cancelled, which does nothing
  ///   to the download.
  public func result(
    of name: String
  ) async throws(DownloadError) -> Result<DownloadedFile, DownloadFailure> {
    switch try await core.outcome(of: name) {
    case .failed(let failure): .failure(failure)
    case .finished(let path, let length, let suggested):
      .success(DownloadedFile(url: core.files.url(stored: path), byteCount: length, suggestedFileName: suggested))
    }
  }

  /// The progress of a download: the newest whenever it is asked for, at most one per
  /// ``Configuration/progressInterval``. Ends with the download, at once where it has ended or there is none of that
  /// name.
  public func progress(of name: String) -> AsyncStream<DownloadProgress> {
    core.progress(of: name)
  }
}
