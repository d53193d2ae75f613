internal import Foundation

/// Reads `Retry-After` (RFC 9110 §10.2.3): seconds, or a date.
enum RetryAfter {
  /// How long to wait, nil where the field is missing or makes no sense. A date is measured against the response's own
  /// `Date` where it has one, so that a wrong clock on either side does no harm; one in the past is no wait.
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
