/// When the requests to one host may go: pure, the time is handed in.
///
/// The bucket is kept as the moment at which it would be full (the generic cell rate algorithm): each request is given
/// its turn when it asks, so that those who wait go in order and wake once.
struct RateLimitState {
  /// What the server allows until its window ends, and from then on.
  struct Allowance: Equatable {
    var remaining: Int
    /// Where the window begins, when those who come now have to wait for it already.
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

  /// Gives a request its turn: how long it waits for it.
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

  /// One that had its turn did not go.
  mutating func giveBack() {
    if let requests = limit.requests, let full { self.full = full - limit.interval / requests }
    allowance?.remaining += 1
  }

  /// What a request has to wait on top when its turn has come.
  func pause(now: Duration) -> Duration {
    max(.zero, pausedUntil - now)
  }

  /// Takes in what a response says.
  mutating func note(_ head: ResponseHead, retryAfter: Duration?, now: Duration) {
    guard limit.heedsServer else { return }
    if [429, 503].contains(head.status), let retryAfter {
      pausedUntil = max(pausedUntil, now + min(retryAfter, limit.longestPause))
    }
    guard var told = RateLimitFields.allowance(in: head.headers, now: now) else { return }
    told.reset = min(told.reset, now + limit.longestPause)
    // Those under way are not in what it says yet; within one window its count only falls.
    if let known = allowance, known.reset > now {
      // It speaks of the window before the one whose turns are being given away.
      if known.opens > now, abs(known.opens - told.reset) <= .seconds(1) { return }
      if abs(known.reset - told.reset) <= .seconds(1) {
        told.remaining = min(told.remaining, known.remaining)
        told.reset = known.reset
      }
    }
    allowance = told
  }

  /// Whether it says no more than that of a host never asked.
  func isIdle(now: Duration) -> Bool {
    (full ?? now) <= now && pausedUntil <= now && (allowance?.reset ?? now) <= now
  }

  private mutating func allowed(from turn: Duration) -> Duration {
    guard var current = allowance else { return turn }
    var turn = max(turn, current.opens)
    while turn >= current.reset || current.remaining <= 0 {
      turn = max(turn, current.reset)
      guard let quota = current.quota, quota > 0, let window = current.window, window > .zero else {
        // What holds in the next window is not known before its first answer.
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
