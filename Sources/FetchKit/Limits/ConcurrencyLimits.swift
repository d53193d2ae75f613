/// The maximum number of requests in progress, in total and per host. Further requests wait. The time that a request
/// spends waiting counts toward the total timeout but not toward the idle timeout.
///
/// Waiting requests start in order of ``RequestPriority``, highest first. Requests of equal priority start in order of
/// arrival. Every fourth time, the request that has waited longest starts instead, so that no request waits
/// indefinitely.
public struct ConcurrencyLimits: Sendable, Hashable {
  /// The maximum number of requests in progress to all hosts together.
  public var total: Int
  /// The maximum number of requests in progress for each combination of scheme, host and port.
  public var perHost: Int

  /// Creates limits. Values below 1 are treated as 1. The defaults are 64 requests in total and 6 requests per host.
  public init(total: Int = 64, perHost: Int = 6) {
    self.total = max(1, total)
    self.perHost = max(1, perHost)
  }
}
