/// The maximum number of requests in progress, in total and per host. Further requests wait. The wait counts toward the
/// total timeout but not toward the idle timeout.
///
/// Waiting requests start in order of ``RequestPriority``, highest first. Requests of equal priority start in order of
/// arrival. Every fourth request to start is instead the one that has waited longest, so that no request waits
/// indefinitely.
public struct ConcurrencyLimits: Sendable, Hashable {
  /// The limit for all hosts together.
  public var total: Int
  /// The limit for each combination of scheme, host and port.
  public var perHost: Int

  /// Creates limits. Values below 1 count as 1. The defaults are 64 in total and 6 per host.
  public init(total: Int = 64, perHost: Int = 6) {
    self.total = max(1, total)
    self.perHost = max(1, perHost)
  }
}
