internal import Foundation

extension CacheStage {
  /// Stores the response if allowed and discards what it invalidates.
  ///
  /// - Parameter requested: When the request was sent.
  nonisolated(nonsending) func keep(_ answer: Reply, of lookup: CacheLookup, requested: Date) async -> Reply {
    let (cache, query) = (lookup.cache, lookup.query)
    var answer = answer
    answer.request = lookup.request
    let received = date()
    await invalidate(query, answer.head, in: cache)
    let control = CacheControl(answer.head.headers)
    if StoragePolicy.allows(query, answer.head, control), let body = answer.body.data {
      if StaleUse.isServerFailure(answer.head.status), await hasFallback(lookup, at: received) { return answer }
      let stored = StoredResponse(answer.head, body, requested: requested, received: received)
      if stored.isWorthKeeping(offline: cache.options.staleIfError) {
        cache.store(stored, for: query, asOf: lookup.moment)
        return answer
      }
    }
    switch query.method {
    case .get:
      // A stored response must not reappear after the server has sent a newer one.
      if query.writesStored, query.range == nil, !StaleUse.isServerFailure(answer.head.status) { cache.remove(query) }
    case .head: await update(query, by: answer.head, in: cache, requested: requested, received: received)
    case .post where StoragePolicy.servesGet(query, answer.head, control):
      guard let body = answer.body.data else { break }
      let stored = StoredResponse(answer.head, body, requested: requested, received: received)
      cache.store(stored, for: query, asOf: cache.moment)
    default: break
    }
    return answer
  }

  /// Whether the cache has a response that may replace a failure of the server.
  nonisolated(nonsending) private func hasFallback(_ lookup: CacheLookup, at now: Date) async -> Bool {
    // Not the response of the lookup: it may be gone, and a request that accepts no stored response has not looked.
    guard let stored = await lookup.cache.find(lookup.query).stored, !StaleUse.isServerFailure(stored.status) else {
      return false
    }
    return StaleUse.allows(
      stored, for: lookup.query, after: nil, at: now, offline: lookup.cache.options.staleIfError.inSeconds)
  }

  /// Updates a stored GET response with the response to a HEAD request (RFC 9111 §4.3.5).
  nonisolated(nonsending) private func update(
    _ query: CacheRequest, by head: ResponseHead, in cache: HTTPCache, requested: Date, received: Date
  ) async {
    guard query.writesStored, head.status == 200 else { return }
    let finding = await cache.find(query)
    guard let stored = finding.stored, stored.status == 200 else { return }
    let isSame = ["ETag", "Last-Modified", "Content-Length"].allSatisfy { name in
      head.headers[name].map { $0 == stored.headers[name] } ?? true
    }
    if isSame, let updated = stored.updated(by: head, requested: requested, received: received) {
      cache.store(updated, for: query, asOf: finding.moment)
    } else {
      cache.remove(query)
    }
  }

  nonisolated(nonsending) func invalidate(_ query: CacheRequest, _ head: ResponseHead, in cache: HTTPCache)
    async
  {
    for url in Invalidation.urls(query, head) { await cache.removeAll(of: url) }
  }
}
