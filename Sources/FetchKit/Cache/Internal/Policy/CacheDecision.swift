internal import Foundation

/// Decides how to handle a request, given the stored response (RFC 9111 §4). Pure: the time is a parameter.
enum CacheDecision {
  /// Serve the stored response.
  case serve(StoredResponse, FetchResponse.Source)
  /// Serve the stored response although it is stale, and validate it in the background (RFC 5861 §3).
  case serveAndRevalidate(StoredResponse)
  /// Ask the server whether the stored response is still current.
  case validate(StoredResponse)
  /// Contact the server.
  case fetch
  /// No stored response can be used, and the request does not permit contacting the server (RFC 9111 §5.2.1.7).
  case unavailable

  init(_ query: CacheRequest, _ stored: StoredResponse?, at now: Date) {
    guard query.readsStored, let stored, Self.answers(query, stored) else {
      self = query.needsStored ? .unavailable : .fetch
      return
    }
    if let use = Self.use(of: stored, for: query, at: now) {
      self = use
    } else if query.needsStored {
      self = .unavailable
    } else if query.method == .get, query.range == nil, stored.hasValidator {
      self = .validate(stored)
    } else {
      self = .fetch
    }
  }

  /// Whether the stored response can answer the request, regardless of its age.
  private static func answers(_ query: CacheRequest, _ stored: StoredResponse) -> Bool {
    guard let range = query.range else { return true }
    return query.method == .get && stored.status == 200 && ByteRange(range, count: stored.body.count) != nil
  }

  private static func use(of stored: StoredResponse, for query: CacheRequest, at now: Date) -> CacheDecision? {
    let wanted = query.control
    guard !stored.control.noCache, !wanted.noCache, let age = stored.freshness.age(at: now) else { return nil }
    let staleness = age - stored.freshness.lifetime
    let isFresh = staleness < 0
    if query.mode == .revalidate, !(isFresh && stored.control.isImmutable) { return nil }
    let isYoung = age <= Double(wanted.maxAge ?? .max) && -staleness >= Double(wanted.minFresh ?? .min)
    if isFresh, isYoung { return .serve(stored, .fresh) }
    guard !stored.control.mustRevalidate else { return nil }
    if query.mode == .preferStored || query.mode == .onlyStored {
      return .serve(stored, isFresh ? .fresh : .stale)
    }
    if !isFresh, isYoung, let most = wanted.maxStale, staleness <= Double(most) { return .serve(stored, .stale) }
    if !isFresh, wanted.maxAge == nil, wanted.minFresh == nil, let window = stored.control.staleWhileRevalidate,
      staleness <= Double(window)
    {
      return query.needsStored ? .serve(stored, .stale) : .serveAndRevalidate(stored)
    }
    return nil
  }
}
