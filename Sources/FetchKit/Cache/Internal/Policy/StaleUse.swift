internal import Foundation

/// Decides whether a stale response may replace a failed request.
enum StaleUse {
  /// - Parameter offline: How long a stale response may be used while the server cannot be reached, in seconds.
  static func allows(
    _ stored: StoredResponse, for query: CacheRequest, after error: FetchError, at now: Date, offline: Double
  ) -> Bool {
    guard !stored.mustBeValidated, !query.control.noCache, query.mode == .standard || query.mode == .preferStored,
      query.control.maxAge == nil, query.control.minFresh == nil, let age = stored.freshness.age(at: now)
    else { return false }
    let staleness = age - stored.freshness.lifetime
    // RFC 5861 §4: any failure that would produce one of these status codes, including a proxy's view of a lost or
    // silent server.
    let window = query.control.staleIfError ?? stored.control.staleIfError
    switch error {
    case .status(let failure, _):
      return [500, 502, 503, 504].contains(failure.status) && isWithin(staleness, window)
    case .connection(let fault, _) where fault == .lost || fault.isTransientBeforeSending:
      // RFC 9111 §4.2.4 allows this for a disconnected cache.
      return isWithin(staleness, window) || staleness <= offline
    case .timeout: return isWithin(staleness, window)
    default: return false
    }
  }

  private static func isWithin(_ staleness: Double, _ window: Int?) -> Bool {
    window.map { staleness <= Double($0) } ?? false
  }
}
