public import Foundation

/// Options for a single download.
public struct DownloadOptions: Sendable {
  /// The priority of this download among all downloads that are waiting to start.
  public var priority: RequestPriority
  /// The location to which the complete file is moved. If nil, the file is placed in ``DownloadSession/filesDirectory``
  /// and named after the download.
  ///
  /// A file that already exists at this location is replaced, and missing folders are created. A destination inside the
  /// session's directory is stored as a relative path, so it remains valid if the directory is moved. Any other
  /// destination is stored as an absolute path.
  public var destination: URL?
  /// The digest that the file must have. If nil, no digest is checked.
  public var digest: DownloadDigest?

  /// Creates options. By default, the priority is normal, the file is placed in ``DownloadSession/filesDirectory``, and
  /// no digest is checked.
  public init(priority: RequestPriority = .normal, destination: URL? = nil, digest: DownloadDigest? = nil) {
    self.priority = priority
    self.destination = destination
    self.digest = digest
  }
}
