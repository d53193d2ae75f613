internal import Foundation

/// Decides after each failed attempt of one fetch whether to retry, and when.
///
/// Pure: time, randomness and the budget are parameters.
struct RetryState {
  /// The properties of a failure that the decision depends on.
  struct Failure {
    /// The failure may be temporary.
    var isTransient: Bool
    /// No part of the request reached the server.
    var nothingSent: Bool
    /// The delay that the server requested.
    var retryAfter: Duration?
  }

  private let policy: RetryPolicy
  /// Whether the request can safely be sent twice.
  var isRepeatable: Bool
  /// Whether the request's body can be read again.
  var isReplayable: Bool
  private var attempts = 0
  private var waited = Duration.zero

  init(_ policy: RetryPolicy, isRepeatable: Bool, isReplayable: Bool) {
    self.policy = policy
    self.isRepeatable = isRepeatable
    self.isReplayable = isReplayable
  }

  /// Returns the delay before the next attempt, or nil if there is none.
  ///
  /// - Parameters:
  ///   - random: A number from 0 up to, but not including, 1.
  ///   - remaining: The time left until the total timeout expires.
  ///   - takeBudget: Called last, because it takes a token.
  mutating func next(
    after failure: Failure, random: Double, remaining: Duration?, takeBudget: () -> Bool
  ) -> Duration? {
    attempts += 1
    guard attempts < policy.maxAttempts, failure.isTransient, isReplayable, isRepeatable || failure.nothingSent else {
      return nil
    }
    let delay: Duration
    if let asked = failure.retryAfter {
      guard asked <= policy.maxRetryAfter else { return nil }
      delay = asked
    } else {
      let doublings = min(attempts - 1, 40)
      let bound = min(policy.maxDelay, policy.baseDelay * Double(1 << doublings))
      delay = bound * min(max(random, 0), 1)
    }
    guard waited + delay <= policy.maxTotalDelay else { return nil }
    if let remaining, delay >= remaining { return nil }
    guard takeBudget() else { return nil }
    waited += delay
    return delay
  }
}

extension RetryState.Failure {
  /// - Parameter wasAnswered: Whether the attempt received a response, such as a redirect, before it failed.
  init(_ error: FetchError, policy: RetryPolicy, now: Date, wasAnswered: Bool = false) {
    self.init(isTransient: false, nothingSent: false, retryAfter: nil)
    switch error {
    case .connection(let fault, _):
      isTransient = fault == .lost || fault.isTransientBeforeSending
      nothingSent = fault.isTransientBeforeSending && !wasAnswered
    case .timeout(let phase, _):
      isTransient = true
      nothingSent = phase == .connect && !wasAnswered
    case .status(let failure, _):
      isTransient =
        policy.statuses.contains(failure.status) || failure.isRateLimit && policy.statuses.contains(429)
      retryAfter = RetryAfter.delay(after: failure.status, failure.headers, now: now)
    default: break
    }
  }
}
