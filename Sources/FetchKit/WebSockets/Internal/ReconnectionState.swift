internal import Foundation

/// Decides after each failure whether and when the next connection is opened.
struct ReconnectionState {
  /// How long a connection must have been open to count as a success.
  private static let stable = Duration.seconds(10)

  let policy: ReconnectionPolicy
  private var failures = 0

  init(_ policy: ReconnectionPolicy) {
    self.policy = policy
  }

  /// Records that the server has resumed, or that a connection has ended.
  mutating func noteConnection(isResumed: Bool, openFor duration: Duration) {
    if isResumed || duration >= Self.stable { failures = 0 }
  }

  /// Returns the delay before the next connection, or nil if there is to be none.
  ///
  /// - Parameter random: A number from 0 up to, but not including, 1.
  mutating func delay(after error: FetchError, random: Double, now: Date) -> Duration? {
    guard policy.decision(error) ?? error.isRetryable, failures < policy.maximumFailures ?? .max else {
      return nil
    }
    let limit = min(policy.baseDelay * (1 << min(failures, 16)), policy.maximumDelay)
    failures += 1
    let jitter = limit * random
    guard case .status(let failure, _) = error,
      let asked = RetryAfter.delay(after: failure.status, failure.headers, now: now)
    else { return jitter }
    return max(asked, jitter)
  }
}

extension WebSocketError {
  /// Whether another connection may succeed.
  var isTransient: Bool {
    switch self {
    case .closed(let closure): [.goingAway, .internalError, .serviceRestart, .tryAgainLater].contains(closure.code)
    case .connection, .silent: true
    case .violation, .invalidPayload, .tooLarge, .invalidClosure, .cancelled: false
    }
  }
}
