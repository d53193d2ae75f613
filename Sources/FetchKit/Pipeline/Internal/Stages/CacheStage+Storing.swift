internal import Foundation

extension CacheStage {
  /// Stores the response if allowed and discards what it invalidates.
  nonisolated(nonsending) func keep(
    _ answer: Reply, _ query: CacheRequest, _ current: HTTPRequest, _ cache: HTTPCache, _ requested: Date, _ moment: Int
  ) async -> Reply {
    var answer = answer
    answer.request = current
    let received = date()
    await invalidate(query, answer.head, in: cache)
    let control = CacheControl(answer.head.headers)
    if StoragePolicy.allows(query, answer.head, control), let body = answer.body.data {
      let stored = StoredResponse(answer.head, body, requested: requested, received: received)
      if stored.isWorthKeeping(offline: cache.options.staleIfError) {
        cache.store(stored, for: query, asOf: moment)
        return answer
      }
    }
    switch query.method {
    case .get:
      // A stored response must not reappear after the server has sent a newer one.
      if query.writesStored, query.range == nil, answer.head.status < 500 { cache.remove(query) }
    case .head: await update(query, answer.head, cache, requested, received)
    case .post where StoragePolicy.servesGet(query, answer.head, control):
      guard let body = answer.body.data else { break }
      let stored = StoredResponse(answer.head, body, requested: requested, received: received)
      cache.store(stored, for: query, asOf: cache.moment)
    default: break
    }
    return answer
  }

  /// Updates a stored GET response with the response to a HEAD request (RFC 9111 §4.3.5).
  nonisolated(nonsending) private func update(
    _ query: CacheRequest, _ head: ResponseHead, _ cache: HTTPCache, _ requested: Date, _ received: Date
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
