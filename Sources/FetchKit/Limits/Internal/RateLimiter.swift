internal import Foundation

/// Delays the requests to each host as ``RateLimitState`` decides.
final class RateLimiter: Sendable {
  private static let mostHosts = 1000

  private let hosts = Lock<[String: RateLimitState]>([:])
  private let limit: RateLimit
  private let time: TimeSource

  init(_ limit: RateLimit, _ time: TimeSource) {
    self.limit = limit
    self.time = time
  }

  /// Waits for the turn of a request. Fails immediately if the turn is later than the remaining time allows.
  func admit(
    _ host: String, within remaining: Duration?, _ open: OpenFetch? = nil
  ) async throws(WaitError) {
    let start = time.now()
    var wait = state(of: host) { $0.take(now: start) }
    while wait > .zero {
      if let remaining, wait + (time.now() - start) >= remaining {
        state(of: host) { $0.giveBack() }
        throw .timeout
      }
      do {
        try await open.run { [time, wait] in try await time.sleep(wait) }
      } catch {
        state(of: host) { $0.giveBack() }
        throw .cancelled
      }
      wait = state(of: host) { $0.pause(now: time.now()) }
    }
  }

  /// Updates the state with the limits in a response of the host.
  func note(_ host: String, _ head: ResponseHead, date: Date) {
    let retryAfter = RetryAfter.delay(in: head.headers, now: date)
    state(of: host) { $0.note(head, retryAfter: retryAfter, now: time.now(), date: date) }
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
