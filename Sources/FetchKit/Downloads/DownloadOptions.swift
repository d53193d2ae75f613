public import Foundation

/// What one download wants besides its request.
public struct DownloadOptions: Sendable {
  /// Who goes first when downloads wait for their turn.
  public var priority: RequestPriority
  /// Where the complete file is put, replacing what is there; nil for a file in ``DownloadSession/filesDirectory``
  /// named for the download. Missing folders are created. Inside the session's directory it is remembered as relative
  /// to it, so that it is right when the directory has moved; elsewhere as an absolute path.
  public var destination: URL?
  /// The digest the file must have; nil for any.
  public var digest: DownloadDigest?

  /// Options; a normal priority and nothing else unless given.
  public init(priority: RequestPriority = .normal, destination: URL? = nil, digest: DownloadDigest? = nil) {
    self.priority = priority
    self.destination = destination
    self.digest = digest
  }
}
