public import Foundation

/// The end of one download, to be acknowledged by ``done()``.
///
/// An event is kept on disk until it is acknowledged. When the program dies before that, the next one to open the
/// session gets the event again, with the same ``token``: nothing is lost, and who wants each event exactly once
/// remembers the tokens of those whose work is done.
public struct DownloadEvent: Sendable {
  /// Tells events apart, also after a relaunch.
  public struct Token: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The text, fit for a file or a database.
    public let description: String

    init(opening: UInt64, number: UInt64) {
      description = "\(String(opening, radix: 16))-\(number)"
    }
  }

  /// The name the download was started with.
  public let name: String
  /// The file, or why there is none.
  public let result: Result<DownloadedFile, DownloadFailure>
  let number: UInt64
  /// The same whenever this event is delivered again.
  public let token: Token
  let acknowledge: @Sendable () -> Void

  /// Says that the work for this event is done: it will not be delivered again, also when the process ends right after.
  /// Appends a few bytes to the journal and waits for no disk; calling it again does nothing. Once the session is
  /// closed it is too late: the next one delivers the event again.
  public func done() {
    acknowledge()
  }
}

/// A complete file, in place.
public struct DownloadedFile: Sendable, Hashable {
  /// Where it is.
  public var url: URL
  /// How many bytes it has.
  public var byteCount: Int64
  /// The name the server suggests, reduced to one harmless path component.
  public var suggestedFileName: String?
}
