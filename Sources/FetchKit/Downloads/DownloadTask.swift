public import Foundation

/// How one download stood when it was asked for: a value that does not change.
public struct DownloadTask: Sendable {
  /// What a download is doing.
  public enum State: Sendable, Hashable {
    /// It waits for its turn, for which ``DownloadSession/Configuration/limit`` and the priorities decide.
    case waiting
    /// It is being downloaded.
    case running
    /// It failed in a way that may pass, and waits before it goes on.
    case waitingToRetry
    /// It was paused and waits for ``DownloadSession/resume(_:)``.
    case paused
    /// Its file is complete and in place; the event that says so has not been acknowledged.
    case finished
    /// It ended without a file.
    case failed(DownloadFailure)
  }

  /// The name it was started with.
  public var name: String
  /// What it is doing.
  public var state: State
  /// The request as the journal has it: without credentials, in fields and query alike.
  public var request: HTTPRequest
  /// Who goes first when downloads wait for their turn.
  public var priority: RequestPriority
  /// Where the file is put when it is complete.
  public var destination: URL
  /// The digest the file must have.
  public var digest: DownloadDigest?
  /// How many bytes are received and kept.
  public var receivedBytes: Int64
  /// How many there are in all, where the server said so.
  public var totalBytes: Int64?
  /// The name the server suggests for the file (RFC 6266), reduced to one harmless path component; nil where there is
  /// none. It is never used by the session itself.
  public var suggestedFileName: String?
}
