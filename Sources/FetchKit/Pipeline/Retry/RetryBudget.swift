/// Keeps retries from making an overload worse: each host may cause only a share of extra requests.
///
/// A host has a store of tokens. A retry takes one, a first attempt gives ``share`` of one, and time gives ``reserve``
/// tokens per ``window``; the store never holds more than ten times the reserve.
public struct RetryBudget: Sendable, Hashable {
  /// Extra requests per request; 0.2 is one retry for every five requests.
  public var share: Double
  /// Retries that are always possible within a window, however few requests there are.
  public var reserve: Int
  /// The time in which the reserve grows back.
  public var window: Duration

  /// A budget; 20 % and ten retries in ten seconds unless given.
  public init(share: Double = 0.2, reserve: Int = 10, window: Duration = .seconds(10)) {
    self.share = share
    self.reserve = reserve
    self.window = window
  }

  /// The tokens of one host.
  struct Account: Sendable {
    private var tokens: Double
    private var updated: Duration

    init(_ budget: RetryBudget, now: Duration) {
      tokens = Double(budget.reserve)
      updated = now
    }

    mutating func noteRequest(_ budget: RetryBudget, now: Duration) {
      refill(budget, now)
      tokens = min(tokens + budget.share, Double(budget.reserve) * 10)
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
      let reserve = Double(budget.reserve)
      if tokens < reserve { tokens = min(reserve, tokens + passed * reserve) }
    }
  }
}
