public import Foundation

/// An event that reports the end of one download. Acknowledge it with ``done()``.
///
/// An event is stored on disk until it is acknowledged. If the process ends before then, the next process that opens
/// the session receives the event again, with the same ``token``. No event is lost. To handle each event exactly once,
/// store the tokens of the events that you have handled.
public struct DownloadEvent: Sendable {
  /// A token that identifies an event, even after a relaunch.
  public struct Token: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The token as text, suitable for a file or a database.
    public let description: String

    init(opening: UInt64, number: UInt64) {
      description = "\(String(opening, radix: 16))-\(number)"
    }
  }

  /// The name under which the download was started.
  public let name: String
  /// The downloaded file, or the reason why the download failed.
  public let result: Result<DownloadedFile, DownloadError>
  let number: UInt64
  /// The event's token. It stays the same each time this event is delivered.
  public let token: Token
  let acknowledge: @Sendable () -> Void

  /// Acknowledges that the event has been handled. The event is not delivered again, even if the process ends
  /// immediately afterward.
  ///
  /// This method appends a few bytes to the journal and does not wait for the disk. Calling it again has no effect.
  /// After the session is closed, this method has no effect, and the next session delivers the event again.
  public func done() {
    acknowledge()
  }
}

/// A complete file at its destination.
public struct DownloadedFile: Sendable, Hashable {
  /// The location of the file.
  public var url: URL
  /// The length of the file in bytes.
  public var byteCount: Int64
  /// The file name that the server suggests, reduced to one safe path component.
  public var suggestedFileName: String?
}
