/// Decides after each failed attempt of one fetch whether there is another, and when.
///
/// Pure: time, randomness and the budget are handed in.
struct RetryState {
  enum Decision: Equatable {
    case retry(after: Duration)
    case giveUp
  }

  /// What the decision rests on.
  struct Failure {
    /// The fault may pass.
    var mayPass: Bool
    /// Nothing of the request reached the server.
    var nothingSent: Bool
    /// What the server asked for.
    var retryAfter: Duration?
  }

  private let policy: RetryPolicy
  /// Sending it twice is harmless.
  var isRepeatable: Bool
  /// Its body can be read again.
  var isReplayable: Bool
  private var attempts = 0
  private var waited = Duration.zero

  init(_ policy: RetryPolicy, isRepeatable: Bool, isReplayable: Bool) {
    self.policy = policy
    self.isRepeatable = isRepeatable
    self.isReplayable = isReplayable
  }

  /// - Parameters:
  ///   - random: 0 up to 1.
  ///   - remaining: What the total deadline leaves.
  ///   - takeBudget: Asked last, since it takes a token.
  mutating func next(
    after failure: Failure, random: Double, remaining: Duration?, takeBudget: () -> Bool
  ) -> Decision {
    attempts += 1
    guard attempts < policy.maxAttempts, failure.mayPass, isReplayable, isRepeatable || failure.nothingSent else {
      return .giveUp
    }
    let delay: Duration
    if let asked = failure.retryAfter {
      guard asked <= policy.maxRetryAfter else { return .giveUp }
      delay = asked
    } else {
      let doublings = min(attempts - 1, 40)
      let bound = min(policy.maxDelay, policy.baseDelay * Double(1 << doublings))
      delay = bound * min(max(random, 0), 1)
    }
    guard waited + delay <= policy.maxTotalDelay else { return .giveUp }
    if let remaining, delay >= remaining { return .giveUp }
    guard takeBudget() else { return .giveUp }
    waited += delay
    return .retry(after: delay)
  }
}

extension RetryState.Failure {
  /// - Parameter wasAnswered: Whether the attempt was answered, with a redirect for one, before it failed.
  init(_ error: FetchError, policy: RetryPolicy, retryAfter: Duration?, wasAnswered: Bool = false) {
    self.init(mayPass: false, nothingSent: false, retryAfter: nil)
    switch error {
    case .connection(let fault, _):
      mayPass = fault == .lost || fault.mayPassUnsent
      nothingSent = fault.mayPassUnsent && !wasAnswered
    case .timeout(let phase, _):
      mayPass = true
      nothingSent = phase == .connect && !wasAnswered
    case .status(let failure, _):
      mayPass = policy.statuses.contains(failure.status)
      self.retryAfter = retryAfter
    default: break
    }
  }
}
