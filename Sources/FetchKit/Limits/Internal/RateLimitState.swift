internal import Foundation

/// Decides when the requests to one host start. Pure: the time is a parameter.
///
/// The bucket is stored as the moment when it will be full (the generic cell rate algorithm). Each request receives its
/// turn when it arrives, so waiting requests start in order and wake up once.
struct RateLimitState {
  /// What the server allows: the requests remaining until its window ends, and the quota of later windows.
  struct Allowance: Equatable {
    var remaining: Int
    /// The start of the window, if new requests already have to wait for it.
    var opens = Duration.zero
    var reset: Duration
    var quota: Int?
    var window: Duration?
  }

  private let limit: RateLimit
  private var full: Duration?
  private var allowance: Allowance?
  private(set) var pausedUntil = Duration.zero

  init(_ limit: RateLimit) {
    self.limit = limit
  }

  /// Assigns a turn to a request. Returns how long to wait for it.
  mutating func take(now: Duration) -> Duration {
    var turn = max(now, pausedUntil)
    if let requests = limit.requests {
      let step = limit.interval / requests
      let start = max(full ?? now, now)
      turn = max(turn, start - step * (limit.burst - 1))
      full = start + step
    }
    return allowed(from: turn) - now
  }

  /// Takes back the turn of a request that was not sent.
  mutating func giveBack() {
    if let requests = limit.requests, let full { self.full = full - limit.interval / requests }
    allowance?.remaining += 1
  }

  /// Returns the additional wait of a request whose turn has come.
  func pause(now: Duration) -> Duration {
    max(.zero, pausedUntil - now)
  }

  /// Updates the state with the limits in a response.
  mutating func note(_ head: ResponseHead, retryAfter: Duration?, now: Duration, date: Date) {
    guard limit.respectsServerLimits else { return }
    if head.status == 503 || StatusFailure.isRateLimit(head.status, head.headers), let retryAfter {
      pausedUntil = max(pausedUntil, now + min(retryAfter, limit.maxPause))
    }
    guard var reported = RateLimitFields.allowance(in: head.headers, now: now, date: date) else { return }
    reported.reset = min(reported.reset, now + limit.maxPause)
    // The server has not counted the requests in progress yet. Within one window its count only decreases.
    if let known = allowance, known.reset > now {
      // The response describes a window before the one whose turns are being assigned.
      if known.opens > now, abs(known.opens - reported.reset) <= .seconds(1) { return }
      if abs(known.reset - reported.reset) <= .seconds(1) {
        reported.remaining = min(reported.remaining, known.remaining)
        reported.reset = known.reset
      }
    }
    allowance = reported
  }

  /// Whether the state is equivalent to that of an unused host.
  func isIdle(now: Duration) -> Bool {
    (full ?? now) <= now && pausedUntil <= now && (allowance?.reset ?? now) <= now
  }

  private mutating func allowed(from turn: Duration) -> Duration {
    guard var current = allowance else { return turn }
    var turn = max(turn, current.opens)
    while turn >= current.reset || current.remaining <= 0 {
      turn = max(turn, current.reset)
      guard let quota = current.quota, quota > 0, let window = current.window, window > .zero else {
        // The limit of the next window is unknown until its first response.
        return turn
      }
      let passed = max(1, Int(((turn - current.reset) / window).rounded(.down)) + 1)
      current.reset += window * passed
      current.opens = current.reset - window
      current.remaining = quota
    }
    current.remaining -= 1
    allowance = current
    return turn
  }
}

private func abs(_ duration: Duration) -> Duration {
  duration < .zero ? .zero - duration : duration
}
