/// How many requests are under way at a time; the others wait, for which the total deadline runs and the idle one does
/// not.
///
/// Of those that wait, the highest ``RequestPriority`` goes first, and within one priority the one that came first. So
/// that nobody waits for ever, every fourth turn goes to the one that has waited longest.
public struct ConcurrencyLimits: Sendable, Hashable {
  /// Over all hosts.
  public var total: Int
  /// To one scheme, host and port.
  public var perHost: Int

  /// Limits; 64 in all and 6 per host unless given, at least 1 each.
  public init(total: Int = 64, perHost: Int = 6) {
    self.total = max(1, total)
    self.perHost = max(1, perHost)
  }
}
