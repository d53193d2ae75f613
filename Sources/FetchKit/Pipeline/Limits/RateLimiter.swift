/// Holds requests back as ``RateLimitState`` says, for each host.
final class RateLimiter: Sendable {
  private static let mostHosts = 1000

  private let hosts = Lock<[String: RateLimitState]>([:])
  private let limit: RateLimit
  private let time: TimeSource

  init(_ limit: RateLimit, _ time: TimeSource) {
    self.limit = limit
    self.time = time
  }

  /// Waits for the turn of a request, but not where it lies beyond what remains.
  func admit(_ host: String, within remaining: Duration?) async throws(Admission.Refusal) {
    let start = time.now()
    var wait = state(of: host) { $0.take(now: start) }
    while wait > .zero {
      if let remaining, wait + (time.now() - start) >= remaining {
        state(of: host) { $0.giveBack() }
        throw .outOfTime
      }
      do {
        try await time.sleep(wait)
      } catch {
        state(of: host) { $0.giveBack() }
        throw .cancelled
      }
      wait = state(of: host) { $0.pause(now: time.now()) }
    }
  }

  /// Takes in what a response of the host says.
  func note(_ host: String, _ head: ResponseHead, retryAfter: Duration?) {
    state(of: host) { $0.note(head, retryAfter: retryAfter, now: time.now()) }
  }

  @discardableResult
  private func state<Result>(of host: String, _ body: (inout RateLimitState) -> Result) -> Result {
    hosts.withLock { hosts in
      if hosts.count >= Self.mostHosts, hosts[host] == nil {
        let now = time.now()
        hosts = hosts.filter { !$0.value.isIdle(now: now) }
      }
      return body(&hosts[host, default: RateLimitState(limit)])
    }
  }
}
