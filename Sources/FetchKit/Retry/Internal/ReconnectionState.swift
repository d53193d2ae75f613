internal import Foundation

/// Decides after each failure whether and when the next connection is opened.
struct ReconnectionState {
  /// How long a connection must have been open to count as a success.
  private static let stable = Duration.seconds(10)
  /// The longest `Retry-After` that is waited for, and the longest first limit.
  private static let longestDelay = Duration.seconds(3600)

  let policy: ReconnectionPolicy
  private var failures = 0

  init(_ policy: ReconnectionPolicy) {
    self.policy = policy
  }

  /// Records that the server has resumed or sent an event, or that a connection has ended.
  mutating func noteConnection(isResumed: Bool, openFor duration: Duration) {
    if isResumed || duration >= Self.stable { failures = 0 }
  }

  /// Returns the delay before the next connection, or nil if there is to be none.
  ///
  /// - Parameters:
  ///   - error: Why the last connection failed, or nil if it ended.
  ///   - random: A number from 0 up to, but not including, 1.
  mutating func delay(after error: FetchError?, random: Double, now: Date) -> Duration? {
    switch error {
    case .cancelled?, .shutDown?: return nil
    default: break
    }
    guard error.map({ policy.decision($0) ?? $0.isRetryable }) ?? true, failures < policy.maximumFailures ?? .max
    else { return nil }
    let base = min(max(policy.baseDelay, .zero), Self.longestDelay)
    let limit = min(base * (1 << min(failures, 16)), max(policy.maximumDelay, base))
    failures += 1
    let jitter = limit * random
    guard case .status(let failure, _)? = error,
      let asked = RetryAfter.delay(after: failure.status, failure.headers, now: now)
    else { return jitter }
    return asked <= Self.longestDelay ? max(asked, jitter) : nil
  }
}
