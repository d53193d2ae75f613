/// An object that receives the events and the progress reports of a session's downloads.
///
/// The session holds a weak reference to its delegate. See ``DownloadSession/setDelegate(_:)``.
public protocol DownloadSessionDelegate: AnyObject, Sendable {
  /// Called when a download has ended. Call ``DownloadEvent/done()`` when you have handled the event. The next event is
  /// delivered after this method returns.
  func downloadSession(_ session: DownloadSession, didEnd event: DownloadEvent) async
  /// Called when a download has made progress. It can be called from any thread, and the download waits until it
  /// returns, so return quickly. The default implementation does nothing.
  func downloadSession(_ session: DownloadSession, didProgress progress: DownloadProgress)
}

extension DownloadSessionDelegate {
  /// Does nothing.
  public func downloadSession(_ session: DownloadSession, didProgress progress: DownloadProgress) {}
}
