internal import Foundation

/// Gets responses from the cache or from the next stage, and keeps the cache up to date.
struct CacheStage {
  let cache: HTTPCache?
  let next: TransportStage
  let open: OpenFetches
  let date: @Sendable () -> Date

  /// - Parameter timeout: The time that the transport may take.
  nonisolated(nonsending) func reply(
    to request: HTTPRequest, within timeout: Duration?, _ exchange: Exchange
  ) async throws(SendError) -> Reply {
    guard let cache else { return try await next.reply(to: request, within: timeout, exchange) }
    let query = CacheRequest(request, exchange.redactor)
    guard exchange.delivery == .whole else {
      if query.needsStored { return unavailable(request) }
      let reply = try await next.reply(to: request, within: timeout, exchange)
      await invalidate(query, reply.head, in: cache)
      return reply
    }
    let finding = query.readsStored ? await cache.find(query) : HTTPCache.Finding(moment: cache.moment)
    let lookup = CacheLookup(
      cache: cache, query: query, request: request, stored: finding.stored, moment: finding.moment)
    switch CacheDecision(query, finding.stored, at: date()) {
    case .serve(let stored, let source): return Reply(stored, source, to: request, query, at: date())
    case .serveAndRevalidate(let stored):
      revalidateLater(stored, lookup, exchange)
      return Reply(stored, .stale, to: request, query, at: date())
    case .validate(let stored): return try await validate(stored, lookup, within: timeout, exchange)
    case .fetch: return try await fetch(lookup, within: timeout, exchange)
    case .unavailable: return unavailable(request)
    }
  }

  /// Returns a stored successful response that can be used without the server.
  nonisolated(nonsending) func storedReply(to request: HTTPRequest, _ exchange: Exchange) async -> Reply? {
    guard let cache else { return nil }
    let query = CacheRequest(request, exchange.redactor)
    guard query.readsStored, let stored = await cache.find(query).stored, (200..<300).contains(stored.status),
      case .serve(let stored, let source) = CacheDecision(query, stored, at: date()),
      exchange.settings.acceptableStatusCodes.contains(stored.status)
    else { return nil }
    return Reply(stored, source, to: request, query, at: date())
  }

  /// Returns the stored response that may be used instead of the error of this request. If the server has answered the
  /// request, it is no longer in the cache.
  nonisolated(nonsending) func staleReply(
    to request: HTTPRequest, after error: FetchError, _ exchange: Exchange
  ) async -> Reply? {
    guard let cache, exchange.delivery == .whole, !exchange.isCancelled else { return nil }
    let query = CacheRequest(request, exchange.redactor)
    // A redirect would have to be followed.
    guard StaleUse.mayReplace(error, of: query), let stored = await cache.findSettled(query).stored,
      !exchange.isCancelled, !(300..<400).contains(stored.status),
      exchange.settings.acceptableStatusCodes.contains(stored.status),
      StaleUse.allows(stored, for: query, after: error, at: date(), offline: cache.options.staleIfError.inSeconds)
    else { return nil }
    return Reply(stored, .stale, to: request, query, at: date())
  }

  nonisolated(nonsending) private func validate(
    _ stored: StoredResponse, _ lookup: CacheLookup, within timeout: Duration?, _ exchange: Exchange
  ) async throws(SendError) -> Reply {
    var conditional = lookup.request
    stored.addConditions(to: &conditional.headers)
    let requested = date()
    let answer = try await next.reply(to: asking(conditional), within: timeout, exchange)
    guard answer.head.status == 304 else { return await keep(answer, of: lookup, requested: requested) }
    var reply: Reply
    if let updated = stored.updated(by: answer.head, requested: requested, received: date()) {
      lookup.cache.store(updated, for: lookup.query, asOf: lookup.moment)
      reply = Reply(updated, .revalidated, to: lookup.request, lookup.query, at: date())
    } else {
      // The 304 response describes a representation other than the stored one.
      lookup.cache.remove(lookup.query)
      reply = try await fetch(lookup, within: timeout.map { $0 - answer.transportTime }, exchange)
    }
    reply.transportTime += answer.transportTime
    return reply
  }

  nonisolated(nonsending) private func fetch(
    _ lookup: CacheLookup, within timeout: Duration?, _ exchange: Exchange
  ) async throws(SendError) -> Reply {
    let requested = date()
    let answer = try await next.reply(to: asking(lookup.request), within: timeout, exchange)
    return await keep(answer, of: lookup, requested: requested)
  }

  private func unavailable(_ current: HTTPRequest) -> Reply {
    Reply(ResponseHead(status: 504), ResponseBody(), to: current, source: .generated)
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

  private func revalidateLater(_ stored: StoredResponse, _ lookup: CacheLookup, _ exchange: Exchange) {
    guard !exchange.isCancelled, let open = open.begin() else { return }
    var request = lookup.request
    request.options.cache = .revalidate
    request.options.priority = .low
    let variant = lookup.query.variant(by: VaryKey.names(in: stored.headers) ?? [])
    let refresh = exchange.detached(with: request, open)
    lookup.cache.revalidations.start("\(lookup.query.url)\n\(variant)") {
      // The caller has already received its response. Only later requests see this result.
      _ = try? await reply(to: refresh.original, within: refresh.settings.retry.attemptTimeout, refresh)
    }
  }
}
