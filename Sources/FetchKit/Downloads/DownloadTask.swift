public import Foundation

/// A snapshot of the state of one download.
public struct DownloadTask: Sendable {
  /// The state of a download.
  public enum State: Sendable, Hashable {
    /// Waiting to start. ``DownloadSession/Configuration/maxConcurrentDownloads`` and the priorities of the waiting
    /// downloads determine when the download starts.
    case waiting
    /// Downloading.
    case running
    /// Waiting to be retried after a failure that may be temporary.
    case waitingToRetry
    /// Paused until ``DownloadSession/resume(_:)`` is called.
    case paused
    /// The file is complete and has been moved to its destination. The event that reports the end of the download has
    /// not been acknowledged yet.
    case finished
    /// The download failed with the associated error.
    case failed(DownloadError)
  }

  /// The name under which the download was started.
  public var name: String
  /// The state of the download when the snapshot was taken.
  public var state: State
  /// The request as stored in the journal. Header fields and query items that carry credentials are omitted.
  public var request: HTTPRequest
  /// The priority of this download among all downloads that are waiting to start.
  public var priority: RequestPriority
  /// The location to which the complete file is moved.
  public var destination: URL
  /// The digest that the file must have. If nil, no digest is checked.
  public var digest: DownloadDigest?
  /// The number of bytes that have been received and are retained.
  public var receivedBytes: Int64
  /// The length of the file in bytes, or nil if the server did not announce it.
  public var totalBytes: Int64?
  /// The file name that the server suggests (RFC 6266), reduced to one safe path component, or nil if the server
  /// suggests no name. The session itself does not use this name for the file.
  public var suggestedFileName: String?
}

extension DownloadTask {
  init(_ record: DownloadRecord, state: State, received: Int64, in files: SessionFiles) {
    self.init(
      name: record.name, state: state, request: record.request.request, priority: record.priority,
      destination: files.url(stored: record.destination), digest: record.digest, receivedBytes: received,
      totalBytes: record.total, suggestedFileName: record.metadata.suggestedFileName)
  }
}
