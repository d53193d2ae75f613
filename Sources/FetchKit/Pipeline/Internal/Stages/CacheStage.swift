internal import Foundation

/// Gets responses from the cache or from the next stage, and keeps the cache up to date.
struct CacheStage {
  let cache: HTTPCache?
  let next: TransportStage
  let open: OpenFetches
  let date: @Sendable () -> Date

  nonisolated(nonsending) func reply(to exchange: inout Exchange) async throws(TransportError) -> Reply {
    let current = exchange.request
    guard let cache else { return try await next.reply(to: current, &exchange) }
    let query = CacheRequest(current, exchange.redactor)
    guard exchange.delivery == .whole else {
      if query.needsStored { return unavailable(current) }
      let reply = try await next.reply(to: current, &exchange)
      await invalidate(query, reply.head, in: cache)
      return reply
    }
    let finding = query.readsStored ? await cache.find(query) : HTTPCache.Finding(moment: cache.moment)
    switch CacheDecision(query, finding.stored, at: date()) {
    case .serve(let stored, let source): return reply(stored, source, query, current)
    case .serveAndRevalidate(let stored):
      revalidateLater(stored, exchange, query, in: cache)
      return reply(stored, .stale, query, current)
    case .validate(let stored): return try await validate(stored, query, &exchange, cache, finding.moment)
    case .fetch(let stored):
      if let stored { exchange.staleFallback = StaleFallback(stored: stored, query: query, request: current) }
      return try await fetch(query, &exchange, cache, finding.moment)
    case .unavailable: return unavailable(current)
    }
  }

  /// Returns a stored successful response that can be used without the server.
  nonisolated(nonsending) func storedReply(to exchange: Exchange) async -> Reply? {
    guard let cache else { return nil }
    let current = exchange.request
    let query = CacheRequest(current, exchange.redactor)
    guard query.readsStored, let stored = await cache.find(query).stored, (200..<300).contains(stored.status),
      case .serve(let stored, let source) = CacheDecision(query, stored, at: date()),
      exchange.settings.acceptableStatusCodes.contains(stored.status)
    else { return nil }
    return reply(stored, source, query, current)
  }

  /// Returns a stored response if it may be used instead of the error.
  func staleReply(for error: FetchError, _ exchange: Exchange) -> Reply? {
    guard let fallback = exchange.staleFallback, let cache else { return nil }
    let isAllowed = StaleUse.allows(
      fallback.stored, for: fallback.query, after: error, at: date(),
      offline: cache.options.staleIfError.inSeconds)
    return isAllowed ? reply(fallback.stored, .stale, fallback.query, fallback.request) : nil
  }

  nonisolated(nonsending) private func validate(
    _ stored: StoredResponse, _ query: CacheRequest, _ exchange: inout Exchange, _ cache: HTTPCache, _ moment: Int
  ) async throws(TransportError) -> Reply {
    let current = exchange.request
    exchange.staleFallback = StaleFallback(stored: stored, query: query, request: current)
    var conditional = current
    stored.addConditions(to: &conditional.headers)
    let requested = date()
    let answer = try await next.reply(to: asking(conditional), &exchange)
    guard answer.head.status == 304 else {
      return await keep(answer, query, current, cache, requested, moment)
    }
    guard let updated = stored.updated(by: answer.head, requested: requested, received: date())
    else {
      // The 304 response describes a representation other than the stored one.
      cache.remove(query)
      return try await fetch(query, &exchange, cache, moment)
    }
    cache.store(updated, for: query, asOf: moment)
    return reply(updated, .revalidated, query, current)
  }

  nonisolated(nonsending) private func fetch(
    _ query: CacheRequest, _ exchange: inout Exchange, _ cache: HTTPCache, _ moment: Int
  ) async throws(TransportError) -> Reply {
    let current = exchange.request
    let requested = date()
    let answer = try await next.reply(to: asking(current), &exchange)
    return await keep(answer, query, current, cache, requested, moment)
  }

  private func unavailable(_ current: HTTPRequest) -> Reply {
    Reply(head: ResponseHead(status: 504), body: ResponseBody(), request: current, source: .generated)
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

  private func revalidateLater(
    _ stored: StoredResponse, _ exchange: Exchange, _ query: CacheRequest, in cache: HTTPCache
  ) {
    guard !exchange.isCancelled, let open = open.begin() else { return }
    var request = exchange.request
    request.options.cache = .revalidate
    request.options.priority = .low
    let variant = query.variant(by: VaryKey.names(in: stored.headers) ?? [])
    let refresh = exchange.detached(with: request, open)
    cache.revalidations.start("\(query.url)\n\(variant)") {
      var exchange = refresh
      // The caller has already received its response. Only later requests see this result.
      _ = try? await reply(to: &exchange)
    }
  }

  private func reply(
    _ stored: StoredResponse, _ source: FetchResponse.Source, _ query: CacheRequest, _ request: HTTPRequest
  ) -> Reply {
    var head = ResponseHead(status: stored.status, headers: stored.headers, version: stored.version)
    let age = stored.freshness.age(at: date()) ?? stored.freshness.initialAge
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
