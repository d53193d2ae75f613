/// A limit on the number of retries per host, so that retries do not increase the load on a server that is already
/// overloaded.
///
/// Each host has a token bucket. A retry takes one token, and a first attempt adds ``retryRatio`` tokens. While the
/// bucket holds fewer than ``minimumRetries`` tokens, it refills at ``minimumRetries`` tokens per ``window``. The
/// bucket never holds more than ten times ``minimumRetries`` tokens.
public struct RetryBudget: Sendable, Hashable {
  /// The ratio of retries to requests. For example, 0.2 permits one retry for every five requests.
  public var retryRatio: Double
  /// The number of retries that are possible in each ``window`` even if there are few requests.
  public var minimumRetries: Int
  /// The time that it takes to add ``minimumRetries`` tokens to the bucket.
  public var window: Duration

  /// Creates a budget. By default, the ratio is 20%, and at least ten retries are possible every ten seconds.
  public init(retryRatio: Double = 0.2, minimumRetries: Int = 10, window: Duration = .seconds(10)) {
    self.retryRatio = retryRatio
    self.minimumRetries = minimumRetries
    self.window = window
  }

  /// The token bucket of one host.
  struct Account: Sendable {
    private var tokens: Double
    private var updated: Duration

    init(_ budget: RetryBudget, now: Duration) {
      tokens = Double(budget.minimumRetries)
      updated = now
    }

    mutating func noteRequest(_ budget: RetryBudget, now: Duration) {
      refill(budget, now)
      tokens = min(tokens + budget.retryRatio, Double(budget.minimumRetries) * 10)
    }

    mutating func takeRetry(_ budget: RetryBudget, now: Duration) -> Bool {
      refill(budget, now)
      guard tokens >= 1 else { return false }
      tokens -= 1
      return true
    }

    private mutating func refill(_ budget: RetryBudget, _ now: Duration) {
      let passed = (now - updated).inSeconds / max(budget.window.inSeconds, 0.001)
      updated = now
      let reserve = Double(budget.minimumRetries)
      if tokens < reserve { tokens = min(reserve, tokens + passed * reserve) }
    }
  }
}
