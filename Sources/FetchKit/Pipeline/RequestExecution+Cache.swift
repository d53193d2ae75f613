internal import Foundation

extension RequestExecution {
  /// A stored response that may be used if no response arrives.
  struct StaleFallback {
    var stored: StoredResponse
    var query: CacheRequest
    var request: HTTPRequest
  }

  /// Gets the response to one request, from the cache or from the transport. The cache is updated.
  nonisolated(nonsending) mutating func answer(_ current: HTTPRequest) async throws(TransportError) -> Reply {
    guard let cache = pipeline.configuration.cache else { return try await hop(current) }
    let query = CacheRequest(current, pipeline.redactor)
    guard delivery == .whole else {
      let reply = try await hop(current)
      await invalidate(query, reply.head, in: cache)
      return reply
    }
    let finding = query.readsStored ? await cache.find(query) : HTTPCache.Finding(moment: cache.moment)
    switch CacheDecision(query, finding.stored, at: pipeline.configuration.date()) {
    case .serve(let stored, let source): return reply(stored, source, query, current)
    case .serveAndRevalidate(let stored):
      revalidateLater(stored, current, query, in: cache)
      return reply(stored, .stale, query, current)
    case .validate(let stored): return try await validate(stored, query, current, cache, finding.moment)
    case .fetch(let stored):
      if let stored { standIn = StaleFallback(stored: stored, query: query, request: current) }
      return try await fetch(query, current, cache, finding.moment)
    case .unavailable:
      return Reply(head: ResponseHead(status: 504), body: ResponseBody(), request: current, source: .generated)
    }
  }

  /// Returns a stored successful response that can be used without the server.
  nonisolated(nonsending) func storedReply(to current: HTTPRequest) async -> Reply? {
    guard let cache = pipeline.configuration.cache else { return nil }
    let query = CacheRequest(current, pipeline.redactor)
    guard query.readsStored, let stored = await cache.find(query).stored, (200..<300).contains(stored.status),
      case .serve(let stored, let source) = CacheDecision(query, stored, at: pipeline.configuration.date()),
      (current.options.acceptableStatusCodes ?? pipeline.configuration.acceptableStatusCodes).contains(stored.status)
    else { return nil }
    return reply(stored, source, query, current)
  }

  /// Returns a stored response if it may be used instead of the error.
  func standIn(for error: FetchError) -> Reply? {
    guard let standIn, let cache = pipeline.configuration.cache else { return nil }
    let isAllowed = StaleUse.allows(
      standIn.stored, for: standIn.query, after: error, at: pipeline.configuration.date(),
      offline: cache.options.staleIfError.inSeconds)
    return isAllowed ? reply(standIn.stored, .stale, standIn.query, standIn.request) : nil
  }

  nonisolated(nonsending) private mutating func validate(
    _ stored: StoredResponse, _ query: CacheRequest, _ current: HTTPRequest, _ cache: HTTPCache, _ moment: Int
  ) async throws(TransportError) -> Reply {
    standIn = StaleFallback(stored: stored, query: query, request: current)
    var conditional = current
    stored.addConditions(to: &conditional.headers)
    let requested = pipeline.configuration.date()
    let answer = try await hop(asking(conditional))
    guard answer.head.status == 304 else {
      return await keep(answer, query, current, cache, requested, moment)
    }
    guard let updated = stored.updated(by: answer.head, requested: requested, received: pipeline.configuration.date())
    else {
      // The 304 response describes a representation other than the stored one.
      cache.remove(query)
      return try await fetch(query, current, cache, moment)
    }
    cache.store(updated, for: query, asOf: moment)
    return reply(updated, .revalidated, query, current)
  }

  nonisolated(nonsending) private mutating func fetch(
    _ query: CacheRequest, _ current: HTTPRequest, _ cache: HTTPCache, _ moment: Int
  ) async throws(TransportError) -> Reply {
    let requested = pipeline.configuration.date()
    return await keep(try await hop(asking(current)), query, current, cache, requested, moment)
  }

  /// Adds the cache directives for other caches that the request's mode requires.
  private func asking(_ current: HTTPRequest) -> HTTPRequest {
    guard current.headers["Cache-Control"] == nil else { return current }
    var current = current
    switch current.options.cache {
    case .revalidate: current.headers["Cache-Control"] = "max-age=0"
    case .reload: current.headers["Cache-Control"] = "no-cache"
    case .standard, .preferStored, .onlyStored, .bypass: break
    }
    return current
  }

  /// Stores the response if allowed and discards what it invalidates.
  nonisolated(nonsending) private func keep(
    _ answer: Reply, _ query: CacheRequest, _ current: HTTPRequest, _ cache: HTTPCache, _ requested: Date, _ moment: Int
  ) async -> Reply {
    var answer = answer
    answer.request = current
    let received = pipeline.configuration.date()
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

  nonisolated(nonsending) private func invalidate(_ query: CacheRequest, _ head: ResponseHead, in cache: HTTPCache)
    async
  {
    for url in Invalidation.urls(query, head) { await cache.removeAll(of: url) }
  }

  private func revalidateLater(
    _ stored: StoredResponse, _ current: HTTPRequest, _ query: CacheRequest, in cache: HTTPCache
  ) {
    var request = current
    request.options.cache = .revalidate
    request.options.priority = .low
    let variant = query.variant(by: VaryKey.names(in: stored.headers) ?? [])
    cache.revalidations.start("\(query.url)\n\(variant)") { [pipeline, request] in
      var run = RequestExecution(pipeline, request, .whole)
      // The caller has already received its response. Only later requests see this result.
      _ = try? await run.answer(request)
    }
  }

  private func reply(
    _ stored: StoredResponse, _ source: FetchResponse.Source, _ query: CacheRequest, _ request: HTTPRequest
  ) -> Reply {
    var head = ResponseHead(status: stored.status, headers: stored.headers, version: stored.version)
    let age = stored.freshness.age(at: pipeline.configuration.date()) ?? stored.freshness.initialAge
    head.headers["Age"] = "\(Int(min(age, Double(CacheControl.mostSeconds))))"
    var body = query.method == .head ? Data() : stored.body
    if let field = query.range, let range = ByteRange(field, count: body.count) {
      body = Data(body.dropFirst(range.bytes.lowerBound).prefix(range.bytes.count))
      head.status = 206
      head.headers["Content-Range"] = range.contentRange
      head.headers["Content-Length"] = "\(body.count)"
    }
    return Reply(head: head, body: ResponseBody(body), request: request, source: source)
  }
}
