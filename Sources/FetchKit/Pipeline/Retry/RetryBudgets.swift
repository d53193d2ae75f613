/// The retry budgets of all hosts that a client talks to; a host that has been quiet is forgotten.
final class RetryBudgets: Sendable {
  private static let mostHosts = 1000
  private let accounts = Lock<[String: RetryBudget.Account]>([:])

  func noteRequest(to host: String, _ budget: RetryBudget, now: Duration) {
    accounts.withLock { accounts in
      if accounts.count >= Self.mostHosts, accounts[host] == nil { accounts.removeAll() }
      accounts[host, default: RetryBudget.Account(budget, now: now)].noteRequest(budget, now: now)
    }
  }

  func takeRetry(to host: String, _ budget: RetryBudget, now: Duration) -> Bool {
    accounts.withLock { $0[host, default: RetryBudget.Account(budget, now: now)].takeRetry(budget, now: now) }
  }
}
