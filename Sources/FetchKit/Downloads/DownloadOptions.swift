public import Foundation

/// Options for a single download.
public struct DownloadOptions: Sendable {
  /// The priority of this download among the downloads that are waiting for a slot.
  public var priority: RequestPriority
  /// The location for the complete file. If nil, the file is placed in ``DownloadSession/filesDirectory`` and named
  /// after the download.
  ///
  /// An existing file is replaced, and missing folders are created. A destination inside the session's directory is
  /// stored as a relative path, so it remains valid when the directory moves. Any other destination is stored as an
  /// absolute path.
  public var destination: URL?
  /// The digest that the file must have. If nil, any file is accepted.
  public var digest: DownloadDigest?

  /// Creates options. The defaults are normal priority, the default destination and no digest.
  public init(priority: RequestPriority = .normal, destination: URL? = nil, digest: DownloadDigest? = nil) {
    self.priority = priority
    self.destination = destination
    self.digest = digest
  }
}
