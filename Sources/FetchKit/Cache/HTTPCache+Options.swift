public import Foundation

extension HTTPCache {
  /// Options that limit the size of a cache and determine how its files are stored.
  public struct Options: Sendable, Hashable {
    /// The approximate maximum number of bytes that stored responses occupy in memory. The default is 16 MiB.
    public var memoryBytes = 16 << 20
    /// The approximate maximum size of the directory in bytes, not counting files that are being written. The default
    /// is 256 MiB. When the limit is exceeded, the least recently used responses are removed first. If several
    /// processes write to the directory, its size can temporarily exceed the limit, by up to an eighth of the limit for
    /// each process after the first.
    public var diskBytes = 256 << 20
    /// The maximum size of a stored body in bytes. The default is 4 MiB.
    public var maxBodySize = 4 << 20
    /// How long a response can be used after it has become stale, if the server cannot be reached (RFC 9111 §4.2.4).
    /// The default is one week. If the value is zero and the server cannot be reached, a stale response is used only if
    /// a `stale-if-error` directive permits it. A stale response with a `must-revalidate` or `no-cache` directive is
    /// never used without validation.
    public var staleIfError = Duration.seconds(7 * 86400)
    /// The data protection class of the directory and the files created in it. If nil, which is the default, the
    /// protection class of the app's container applies. This property has no effect on Linux, which has no data
    /// protection classes.
    ///
    /// If a stored response cannot be read because the device is locked, the response is requested from the server
    /// again.
    public var fileProtection: FileProtectionType? {
      get { protectionName.map { FileProtectionType(rawValue: $0) } }
      set { protectionName = newValue?.rawValue }
    }
    /// The type itself cannot be compared on Linux.
    private var protectionName: String?
    /// Whether the directory is excluded from backups. The default is false. This property has no effect on Linux.
    ///
    /// Setting this property to false does not remove an existing exclusion. A directory inside the app's Caches folder
    /// is never backed up, regardless of this property.
    public var isExcludedFromBackup = false
  }
}
