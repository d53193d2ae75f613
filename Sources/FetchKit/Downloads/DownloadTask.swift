public import Foundation

/// A snapshot of one download.
public struct DownloadTask: Sendable {
  /// The state of a download.
  public enum State: Sendable, Hashable {
    /// Waiting for a slot. ``DownloadSession/Configuration/maxConcurrentDownloads`` and the priorities determine when
    /// the download starts.
    case waiting
    /// Downloading.
    case running
    /// Waiting to be retried after a failure that may be temporary.
    case waitingToRetry
    /// Paused until ``DownloadSession/resume(_:)`` is called.
    case paused
    /// Complete, with the file at its destination. The event has not been acknowledged.
    case finished
    /// Ended without a file.
    case failed(DownloadError)
  }

  /// The name under which the download was started.
  public var name: String
  /// The current state.
  public var state: State
  /// The request as stored in the journal, without the credentials in header fields or query items.
  public var request: HTTPRequest
  /// The priority of this download among the downloads that are waiting for a slot.
  public var priority: RequestPriority
  /// The location for the complete file.
  public var destination: URL
  /// The digest that the file must have. If nil, any file is accepted.
  public var digest: DownloadDigest?
  /// The number of bytes received and retained.
  public var receivedBytes: Int64
  /// The total number of bytes, or nil if the server did not announce it.
  public var totalBytes: Int64?
  /// The file name that the server suggests (RFC 6266), reduced to one safe path component, or nil if the server
  /// suggests no name. The session itself never uses this name.
  public var suggestedFileName: String?
}

extension DownloadTask {
  init(_ record: DownloadRecord, state: State, received: Int64, in files: SessionFiles) {
    self.init(
      name: record.name, state: state, request: record.request.request, priority: record.priority,
      destination: files.url(stored: record.destination), digest: record.digest, receivedBytes: received,
      totalBytes: record.total, suggestedFileName: record.suggestedFileName)
  }
}
