package import Foundation

/// Parses `Retry-After` (RFC 9110 §10.2.3): seconds or a date.
enum RetryAfter {
  /// Returns the delay that a response with an error status asks for: by `Retry-After` or, if the server limits the
  /// rate of requests, by the end of the window in its rate limit fields.
  static func delay(after status: Int, _ headers: HTTPHeaders, now: Date) -> Duration? {
    if let delay = delay(in: headers, now: now) { return delay }
    guard StatusFailure.isRateLimit(status, headers),
      let allowance = RateLimitFields.allowance(in: headers, now: .zero, date: now), allowance.remaining == 0
    else { return nil }
    return allowance.reset
  }

  /// Returns the delay, or nil if the field is missing or invalid. A date is measured against the response's own
  /// `Date`, if present, so an incorrect clock on either side has no effect. A date in the past means no delay.
  static func delay(in headers: HTTPHeaders, now: Date) -> Duration? {
    guard let text = headers["Retry-After"]?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return .seconds(min(Int64(text) ?? .max, 1_000_000_000))
    }
    guard let date = HTTPDate.parse(text) else { return nil }
    let reference = headers["Date"].flatMap(HTTPDate.parse) ?? now
    return .seconds(max(0, date.timeIntervalSince(reference)))
  }
}

extension StatusFailure {
  /// How long to wait before the next attempt, if the response says so.
  package func retryAfter(now: Date) -> Duration? { RetryAfter.delay(after: status, headers, now: now) }
}
