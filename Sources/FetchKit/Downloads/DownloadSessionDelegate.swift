/// Is told what happens to the downloads of a session.
///
/// The session holds it weakly; see ``DownloadSession/setDelegate(_:)``.
public protocol DownloadSessionDelegate: AnyObject, Sendable {
  /// A download has ended. Call ``DownloadEvent/done()`` when what is to be done about it is done; the next event comes
  /// when this has returned.
  func downloadSession(_ session: DownloadSession, didEnd event: DownloadEvent) async
  /// A download has come further. Called from any thread, while the download waits: be quick. Does nothing unless
  /// implemented.
  func downloadSession(_ session: DownloadSession, didProgress progress: DownloadProgress)
}

extension DownloadSessionDelegate {
  /// Nothing.
  public func downloadSession(_ session: DownloadSession, didProgress progress: DownloadProgress) {}
}
