/// The retry budgets of all hosts of a client. If there are more than 1000, the least recently used are discarded.
final class RetryBudgets: Sendable {
  private let accounts = Lock(LRU<String, RetryBudget.Account>(limit: 1000))

  func noteRequest(to host: String, _ budget: RetryBudget, now: Duration) {
    change(host, budget, now: now) { $0.noteRequest(budget, now: now) }
  }

  func takeRetry(to host: String, _ budget: RetryBudget, now: Duration) -> Bool {
    change(host, budget, now: now) { $0.takeRetry(budget, now: now) }
  }

  private func change<Result>(
    _ host: String, _ budget: RetryBudget, now: Duration, _ body: (inout RetryBudget.Account) -> Result
  ) -> Result {
    accounts.withLock { accounts in
      var account = accounts.use(host) ?? RetryBudget.Account(budget, now: now)
      defer { accounts.set(host, account, cost: 1) }
      return body(&account)
    }
  }
}
