/// An object that is notified when a download in a session ends or makes progress.
///
/// ```swift
/// final class Shelf: DownloadSessionDelegate {
///   func downloadSession(_ session: DownloadSession, didEnd event: DownloadEvent) async {
///     let result: Result<DownloadedFile, DownloadError> = event.result
///     print(event.name, result)
///     event.done()
///   }
///
///   func downloadSession(_ session: DownloadSession, didProgress progress: DownloadProgress) {
///     print(progress.name, progress.fraction ?? 0)
///   }
/// }
/// ```
///
/// The session holds a weak reference to its delegate. See ``DownloadSession/setDelegate(_:)``.
public protocol DownloadSessionDelegate: AnyObject, Sendable {
  /// Called when a download has ended. Call ``DownloadEvent/done()`` when you have handled the event. The next event is
  /// delivered only after this method has returned.
  func downloadSession(_ session: DownloadSession, didEnd event: DownloadEvent) async
  /// Called when a download has made progress. This method can be called on any thread. The download waits until the
  /// method returns, so return quickly. The default implementation does nothing.
  func downloadSession(_ session: DownloadSession, didProgress progress: DownloadProgress)
}

extension DownloadSessionDelegate {
  /// Does nothing.
  public func downloadSession(_ session: DownloadSession, didProgress progress: DownloadProgress) {}
}
