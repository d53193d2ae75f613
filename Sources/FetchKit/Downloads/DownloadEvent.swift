public import Foundation

/// An event that reports the end of one download. Acknowledge the event with ``done()``.
///
/// An event is stored on disk until it is acknowledged, so no event is lost. If the process ends before it has
/// acknowledged an event, the next process that opens the session receives the event again, with the same ``token``. To
/// handle each event exactly once, store the tokens of the events that you have handled.
public struct DownloadEvent: Sendable {
  /// A token that identifies an event and remains the same after a relaunch.
  public struct Token: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The token as a string that you can store in a file or a database.
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
  /// The token that identifies the event. If the event is delivered again, its token is the same.
  public let token: Token
  let acknowledge: @Sendable () -> Void

  /// Acknowledges that the event has been handled. Unless the session is suspended or closed, the event is not
  /// delivered again, even if the process ends immediately afterward.
  ///
  /// This method returns quickly, because it appends only a few bytes to the journal and does not wait for the disk. If
  /// you call the method twice, the second call has no effect. If the session has been closed, the method has no
  /// effect, and the event is delivered again when the session is next opened.
  public func done() {
    acknowledge()
  }
}

/// A file that has been downloaded completely and moved to its destination.
public struct DownloadedFile: Sendable, Hashable {
  /// The location of the file.
  public var url: URL
  /// The length of the file in bytes.
  public var byteCount: Int64
  /// The file name that the server suggests, reduced to one safe path component. The value is nil if the server
  /// suggests no name.
  public var suggestedFileName: String?
  /// The content coding in which the server sent the file although none was asked for, such as `gzip`. The file has
  /// been decoded. The value is nil if the file is as the server sent it, or if the transport does not report the
  /// coding.
  public var contentCoding: String?
}

extension DownloadedFile {
  init(_ url: URL, _ byteCount: Int64, _ metadata: FileMetadata) {
    self.init(
      url: url, byteCount: byteCount, suggestedFileName: metadata.suggestedFileName,
      contentCoding: metadata.contentCoding)
  }
}
