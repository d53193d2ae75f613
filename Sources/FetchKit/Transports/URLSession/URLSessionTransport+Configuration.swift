extension URLSessionTransport {
  /// How many connections a transport opens, and which networks it may use.
  ///
  /// On Linux, URLSession ignores ``allowsCellularAccess``, and the other settings for networks do not exist.
  public struct Configuration: Sendable {
    /// The maximum number of simultaneous requests to one host. Further requests wait; the wait counts toward the total
    /// timeout but not the idle timeout.
    public var connectionsPerHost = 6
    /// Whether requests may use a cellular network.
    public var allowsCellularAccess = true
    #if canImport(Darwin)
    /// Whether a request without a network waits for one instead of failing with ``ConnectionFailure/offline``. The
    /// wait counts toward the idle timeout and the total timeout.
    public var waitsForConnectivity = false
    /// Whether requests may use a network that the system considers expensive, such as a personal hotspot.
    public var allowsExpensiveNetworkAccess = true
    /// Whether requests may use a network in Low Data Mode.
    public var allowsConstrainedNetworkAccess = true
    #endif

    /// Creates a configuration with the defaults.
    public init() {}
  }
}
