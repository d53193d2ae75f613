extension HTTPCache {
  /// How much a cache keeps.
  public struct Options: Sendable, Hashable {
    /// How many bytes of memory it takes; 16 MiB unless set.
    public var memoryBytes = 16 << 20
    /// How many bytes its directory has, give or take what is being written; 256 MiB unless set. What was not used for
    /// longest goes first. Each further process that writes to the directory may exceed it by an eighth.
    public var diskBytes = 256 << 20
    /// The largest body that is kept; 4 MiB unless set.
    public var largestBody = 4 << 20
    /// For how long what has gone stale may be used while there is no connection to be had (RFC 9111 §4.2.4); a week
    /// unless set, zero for never. What `must-revalidate` or `no-cache` forbids is not used.
    public var offlineStaleness = Duration.seconds(7 * 86400)
  }
}
