internal import Foundation

/// The age of a response when it was received, and how long it stays fresh (RFC 9111 §4.2).
struct Freshness: Sendable, Equatable {
  /// The freshness lifetime in seconds.
  let lifetime: Double
  /// The age when the response was received, in seconds.
  let initialAge: Double
  /// When the response was received.
  let received: Date

  init(status: Int, _ headers: HTTPHeaders, _ control: CacheControl, requested: Date, received: Date) {
    self.received = received
    let date = headers["Date"].flatMap(HTTPDate.parse)
    initialAge = Self.initialAge(headers, date, requested: requested, received: received)
    lifetime = Self.lifetime(status, headers, control, at: date ?? received)
  }

  /// Returns the age in seconds, or nil if the age is unknown because the clock has been set back since then.
  func age(at now: Date) -> Double? {
    let resident = now.timeIntervalSince(received)
    return resident < 0 ? nil : initialAge + resident
  }

  /// The fraction of the time since the last change that counts as fresh if the origin does not specify a lifetime
  /// (§4.2.2).
  private static let heuristicShare = 0.1
  private static let longestHeuristic = 7.0 * 86400

  private static func initialAge(
    _ headers: HTTPHeaders, _ date: Date?, requested: Date, received: Date
  ) -> Double {
    // Dates are truncated to whole seconds, so a fraction of a second is meaningless.
    let apparent = date.map { max(0, received.timeIntervalSince($0).rounded(.down)) } ?? 0
    var reported: Substring?
    if let field = headers["Age"] {
      HTTPListField.forEach(in: field) { reported = reported ?? $0 }
    }
    let delay = max(0, received.timeIntervalSince(requested))
    return max(apparent, Double(reported.flatMap { CacheControl.seconds($0) } ?? 0) + delay)
  }

  private static func lifetime(_ status: Int, _ headers: HTTPHeaders, _ control: CacheControl, at date: Date) -> Double
  {
    if let maxAge = control.maxAge { return Double(maxAge) }
    if let expires = headers["Expires"] {
      return HTTPDate.parse(expires).map { max(0, $0.timeIntervalSince(date)) } ?? 0
    }
    guard control.isPublic || StoragePolicy.isHeuristic(status),
      let changed = headers["Last-Modified"].flatMap(HTTPDate.parse)
    else { return 0 }
    return min(longestHeuristic, max(0, date.timeIntervalSince(changed) * heuristicShare))
  }
}
