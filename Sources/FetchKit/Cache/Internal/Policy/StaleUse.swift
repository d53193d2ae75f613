internal import Foundation

/// Decides whether a stale response may replace the failure of a request that the server has not answered: it is
/// disconnected (RFC 9111 §4.2.4), or there is an error in the sense of RFC 5861 §4.
enum StaleUse {
  /// Whether the status code reports such an error. Any other response is an answer.
  static func isServerFailure(_ status: Int) -> Bool { [500, 502, 503, 504].contains(status) }

  /// Whether this failure of the request is one that some stored response may replace.
  static func mayReplace(_ error: FetchError, of query: CacheRequest) -> Bool {
    guard query.readsStored, !query.control.noCache, query.range == nil, !query.needsStored,
      query.mode == .standard || query.mode == .preferStored,
      query.control.maxAge == nil, query.control.minFresh == nil
    else { return false }
    // RFC 5861 §4: any failure that would produce one of these status codes, including a proxy's view of a lost or
    // silent server.
    return switch error {
    case .status(let failure, _): isServerFailure(failure.status)
    case .connection(let fault, _): fault == .lost || fault.isTransientBeforeSending
    case .timeout: true
    default: false
    }
  }

  /// Whether the stored response is one that may replace such a failure.
  ///
  /// - Parameters:
  ///   - error: The failure, or nil for any.
  ///   - offline: How long a stale response may be used while the server cannot be reached, in seconds.
  static func allows(
    _ stored: StoredResponse, for query: CacheRequest, after error: FetchError?, at now: Date, offline: Double
  ) -> Bool {
    guard !stored.mustBeValidated, let age = stored.freshness.age(at: now) else { return false }
    let staleness = age - stored.freshness.lifetime
    if let window = query.control.staleIfError ?? stored.control.staleIfError, staleness <= Double(window) {
      return true
    }
    switch error {
    // RFC 9111 §4.2.4 allows this for a disconnected cache.
    case .connection, nil: return staleness <= offline
    default: return false
    }
  }
}
