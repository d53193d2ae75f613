public import Foundation

extension HTTPCache {
  /// The limits of a cache.
  public struct Options: Sendable, Hashable {
    /// The maximum number of bytes in memory. The default is 16 MiB.
    public var memoryBytes = 16 << 20
    /// The approximate maximum number of bytes in the directory, not counting files that are being written. The default
    /// is 256 MiB. The least recently used responses are removed first. For each additional process that writes to
    /// the directory, the total size can temporarily exceed the limit by another eighth of the limit.
    public var diskBytes = 256 << 20
    /// The maximum size of a stored body in bytes. The default is 4 MiB.
    public var maxBodySize = 4 << 20
    /// How long a stale response may be used while the server cannot be reached (RFC 9111 §4.2.4). The default is one
    /// week. If the value is zero, stale responses are not used when the server cannot be reached. Stale responses with
    /// `must-revalidate` or `no-cache` are never used.
    public var staleIfError = Duration.seconds(7 * 86400)
    /// The data protection class of the directory and the files created in it. If it is nil, which is the default, the
    /// app container's class applies. This property has no effect on Linux, which has no data protection classes.
    ///
    /// As long as a file cannot be read, its response is requested from the server.
    public var fileProtection: FileProtectionType? {
      get { protectionName.map { FileProtectionType(rawValue: $0) } }
      set { protectionName = newValue?.rawValue }
    }
    /// The type itself cannot be compared on Linux.
    private var protectionName: String?
    /// Whether the directory is excluded from backups. The default is false. This property has no effect on Linux.
    ///
    /// Setting this property to false does not remove an existing exclusion. The system's caches folder is never backed
    /// up.
    public var isExcludedFromBackup = false
  }
}
